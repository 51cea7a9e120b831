# fish completion of posencd: `posencd complete` says how the last word may end.
function __posencd_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l answer ($program complete $words "$current" 2>/dev/null)
    set -l head (string split -m 1 ' ' -- "$answer[1]")
    set -e answer[1]
    for line in $answer
        echo $line
    end
    if test "$head[1]" = files
        set -l typed (string sub -s (math (string length -- "$head[2]") + 1) -- "$current")
        for file in (__fish_complete_path "$typed")
            echo "$head[2]$file"
        end
    end
end
complete -c posencd -f -a '(__posencd_complete)'
