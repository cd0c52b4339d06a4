package jfs.launcher.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import jfs.launcher.LauncherException;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said of a command that was given wrongly: one line, which names the wrong word and says what is allowed. */
final class Refusals implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        command.getErr().println(LauncherException.line(message(wrong, command, args)));
        return Commands.WRONG;
    }

    private static String message(ParameterException wrong, CommandLine command, String[] args) {
        if (wrong instanceof UnmatchedArgumentException) {
            return unknown((UnmatchedArgumentException) wrong, command);
        }
        if (wrong instanceof MissingParameterException) {
            for (String word : args) { // a mistyped option is why something is missing
                if (word.startsWith("-") && !command.getCommandSpec().optionsMap().containsKey(word)) {
                    return unknown(new UnmatchedArgumentException(command, List.of(word)), command);
                }
            }
            String missing = ((MissingParameterException) wrong).getMissing().stream().map(ArgSpec::paramLabel)
                    .collect(Collectors.joining(" and "));
            return name(command) + " needs " + missing + "; use: " + use(command);
        }
        if (!command.getSubcommands().isEmpty()) { // there is no other way to give such a command wrongly
            return name(command) + " needs a command; the commands are " + list(commands(command));
        }
        return name(command) + ": " + wrong.getMessage().replaceFirst("^Error: ", "") + "; use: " + use(command);
    }

    private static String unknown(UnmatchedArgumentException wrong, CommandLine command) {
        String word = wrong.getUnmatched().get(0);
        if (word.startsWith("-")) {
            List<String> options = options(command);
            return "unknown option " + word + of(command) + "; the options are " + list(options) + nearest(word, options);
        }
        if (!command.getSubcommands().isEmpty()) {
            List<String> commands = commands(command);
            return "unknown command " + word + of(command) + "; the commands are " + list(commands) + nearest(word, commands);
        }
        return "unexpected argument " + word + of(command) + "; use: " + use(command);
    }

    /** The command's name without the name of the whole. */
    private static String name(CommandLine command) {
        return command.getParent() == null ? command.getCommandName()
                : command.getCommandSpec().qualifiedName().substring(root(command).getCommandName().length() + 1);
    }

    private static String of(CommandLine command) {
        return command.getParent() == null ? "" : " of " + name(command);
    }

    private static CommandLine root(CommandLine command) {
        return command.getParent() == null ? command : root(command.getParent());
    }

    private static String use(CommandLine command) {
        return command.getHelp().synopsis(0).replaceAll("\\s+", " ").trim();
    }

    private static List<String> commands(CommandLine command) {
        return new ArrayList<>(command.getSubcommands().keySet());
    }

    private static List<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream().filter(option -> !option.hidden()).map(OptionSpec::longestName)
                .collect(Collectors.toList());
    }

    private static String list(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? String.join("", words) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /** Names the word that is most alike, if one is alike. */
    static String nearest(String word, List<String> words) {
        String nearest = null;
        int least = 1 + Math.max(1, word.length() / 3);
        for (String each : words) {
            int changes = changes(word, each);
            if (changes < least) {
                least = changes;
                nearest = each;
            }
        }
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    /** How many letters have to be changed, put in or left out to make one word of the other (Levenshtein's distance). */
    private static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int above = row[j];
                int kept = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(kept, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[to.length()];
    }
}
