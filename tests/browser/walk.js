// SPDX-License-Identifier: Apache-2.0
// walk.js - what the walk does in an open page: waits until it is drawn, presses what can be
// pressed, and returns {wrong: [[step, sentence]], links: [addresses], steps}.

const PATIENCE = 30000; // milliseconds that only a hang takes
const BOXES = '.state, .field.wrong, .figure.stale';
const text = (node) => node.innerText.replace(/\s+/g, ' ').slice(0, 200);

/** Lets the page work: a task of its own, which no timer delays. */
const turn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });

async function until(condition, step, found) {
  const end = performance.now() + PATIENCE;
  while (!condition()) {
    if (performance.now() > end) return found.wrong.push([step, 'the page is not drawn in time']);
    await turn();
  }
}

const figure = () => document.querySelector('.figure');
const isIdle = () =>
  document.readyState === 'complete' &&
  !document.querySelector('[aria-busy=true]') &&
  (!document.body.matches('.explore') || figure() !== null);

/** Waits until the page is drawn, and notes the boxes that say what is wrong. */
async function look(step, found) {
  await until(isIdle, step, found);
  found.steps++;
  const boxes = document.querySelectorAll(BOXES);
  if (boxes.length) found.wrong.push([step, [...boxes].map(text).join(' | ')]);
  if (document.body.matches('.explore') && !figure()?.childElementCount)
    found.wrong.push([step, 'nothing is drawn']);
}

function addLinks(found) {
  for (const { href } of document.querySelectorAll('a[href]')) found.links.add(href);
}

/** Every output: its tab is pressed twice. */
async function pressTabs(found, each) {
  const count = document.querySelectorAll('.outputs button').length;
  for (let i = 0; i < count; i++)
    for (const time of ['first', 'second']) {
      const tab = document.querySelectorAll('.outputs button')[i];
      const step = `tab "${tab.textContent}" pressed the ${time} time`;
      tab.click();
      await look(step, found);
      if (time === 'second') await each(found, tab.textContent);
    }
}

/** The controls of the form that have choices: [{id, values}]. */
const choosers = () =>
  [...document.querySelectorAll('.panel .field')]
    .map((field) => field.querySelector('select, .segments, input[type=checkbox]'))
    .filter((node) => node?.id.startsWith('p-'))
    .map((node) => ({
      id: node.id,
      values: node.matches('select')
        ? [...node.options].map((option) => option.value).filter(Boolean)
        : [...node.querySelectorAll('input')].map((input) => input.value),
    }));

/** Chooses a value as a person does; '' is a press of a switch. */
function choose(id, value) {
  const node = document.getElementById(id);
  if (!node) return false;
  const control = node.matches('select')
    ? node
    : value === ''
      ? node
      : [...node.querySelectorAll('input')].find((input) => input.value === value);
  if (node.matches('select')) node.value = value;
  else control.checked = !control.checked;
  control.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** Every choice of every control that was not tried at another output, and the way back. */
async function pressChoices(found, output) {
  for (const { id, values } of choosers()) {
    if (found.chosen.has(id)) continue;
    found.chosen.add(id);
    for (const value of values.length ? values : ['', '']) {
      if (!choose(id, value)) break;
      await look(`${output}: ${id.slice(2)} = ${value || 'pressed'}`, found);
    }
    document.getElementById(id)?.closest('.field').querySelector('.clear')?.click();
    await look(`${output}: ${id.slice(2)} taken away`, found);
  }
}

/** Every port of the page of verdicts, each of which gets one. */
async function pressPorts(found) {
  for (const port of document.querySelectorAll('.ports a')) {
    port.click();
    await look(`port "${port.textContent}"`, found);
    if (document.querySelectorAll('.verdict h2').length !== 1)
      found.wrong.push([port.textContent, 'there is no verdict']);
    addLinks(found);
  }
}

/** Every choice of a chapter's figures, and both ends of every slider. */
async function moveLessons(found) {
  for (const choice of document.querySelectorAll('.lesson button.chip')) {
    choice.click();
    await look(`choice "${choice.textContent}"`, found);
  }
  for (const slider of document.querySelectorAll('.lesson input[type=range]'))
    for (const end of [slider.min, slider.max]) {
      slider.value = end;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await look(`${slider.ariaLabel} at ${end}`, found);
    }
  if (document.querySelector('.lesson')) addLinks(found);
}

/** The whole walk in this page. */
async function walk() {
  const found = { wrong: [], links: new Set(), steps: 0, chosen: new Set() };
  await look('opened', found);
  addLinks(found);
  if (document.body.matches('.explore')) {
    await pressChoices(found, 'first');
    await pressTabs(found, async () => {
      addLinks(found);
      await pressChoices(found, document.querySelector('.outputs [aria-pressed=true]')?.textContent);
    });
  }
  await pressPorts(found);
  await moveLessons(found);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return { wrong: found.wrong, steps: found.steps, links: [...found.links] };
}
