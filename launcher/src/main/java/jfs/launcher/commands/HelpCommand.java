package jfs.launcher.commands;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code help [COMMAND...]}: the help of all, or of one command. */
@Command(name = "help", description = {"Prints the help of a command, or of all.", ""})
final class HelpCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    /** What a shell completes. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Commands.class.getAnnotation(Command.class).subcommands())
                    .map(it -> it.getAnnotation(Command.class).name()).iterator();
        }
    }

    @Parameters(arity = "0..*", paramLabel = "COMMAND", completionCandidates = Names.class,
            description = "A command, such as attach, or rules check.")
    private List<String> command = List.of();

    @Override
    public Integer call() {
        CommandLine found = spec.parent().commandLine();
        for (String word : command) {
            CommandLine next = found.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(found, List.of(word));
            }
            found = next;
        }
        found.usage(spec.commandLine().getOut());
        return 0;
    }
}
