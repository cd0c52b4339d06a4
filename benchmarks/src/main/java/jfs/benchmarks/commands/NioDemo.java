package jfs.benchmarks.commands;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** As {@link NioBench}, but by default it takes about three minutes. */
@Command(
        name = "nio",
        defaultValueProvider = NioDemo.Short.class,
        description = "As bench nio, but about three minutes long: Netty and the JDK's HTTP server and client.")
final class NioDemo extends NioBench {
    /** The default values that differ from those of {@link NioBench}. */
    static final class Short implements IDefaultValueProvider {
        private static final Map<String, String> VALUES = Map.of("--rows", "netty,httpserver", "--forks", "1");

        /** null: the option's own default value. */
        @Override
        public String defaultValue(ArgSpec argument) {
            return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
        }
    }
}
