package workloads.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import workloads.Program;
import workloads.Timing;

/** {@code DatabaseClient H2|DERBY|HSQLDB PORT WARMING MEASURING}; the last two are seconds for each operation. */
public final class DatabaseClient {
    private static final int ROWS = 1000;

    private int nextKey;
    private int nextEvent;

    private DatabaseClient() {}

    public static void main(String[] args) throws Exception {
        Program.endWithParent();
        Database database = Database.valueOf(args[0]);
        String url = database.url(Integer.parseInt(args[1]));
        // One connection commits each statement by itself, the other one is for transactions. A pool would hand out the same.
        try (Connection plain = DriverManager.getConnection(url);
                Connection transactional = DriverManager.getConnection(url)) {
            createTables(plain);
            transactional.setAutoCommit(false);
            new DatabaseClient().measure(
                    database, plain, transactional, Double.parseDouble(args[2]), Double.parseDouble(args[3]));
            transactional.rollback();
        }
    }

    private static void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table person (id int primary key, name varchar(40))");
            statement.execute("create table event (id int primary key, what varchar(40))");
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into person values (?, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                insert.setInt(1, id);
                insert.setString(2, "person " + id);
                insert.executeUpdate();
            }
        }
    }

    private void measure(Database database, Connection plain, Connection transactional, double warming, double measuring)
            throws Exception {
        try (Statement statement = plain.createStatement();
                PreparedStatement byKey = plain.prepareStatement("select name from person where id = ?");
                PreparedStatement all = plain.prepareStatement("select id, name from person");
                PreparedStatement insert = transactional.prepareStatement("insert into event values (?, 'something')")) {
            Timing timing = new Timing();
            timing.add("one", () -> {
                try (ResultSet result = statement.executeQuery(database.one())) {
                    expect(result.next() && result.getInt(1) == 1);
                }
            });
            timing.add("row", () -> {
                int key = nextKey++ % ROWS;
                byKey.setInt(1, key);
                try (ResultSet result = byKey.executeQuery()) {
                    expect(result.next() && result.getString(1).endsWith(" " + key));
                }
            });
            timing.add("insert", () -> {
                insert.setInt(1, nextEvent++);
                expect(insert.executeUpdate() == 1);
                transactional.commit();
            });
            timing.add("rows", () -> {
                int count = 0;
                try (ResultSet result = all.executeQuery()) {
                    while (result.next()) {
                        result.getInt(1);
                        expect(result.getString(2) != null);
                        count++;
                    }
                }
                expect(count == ROWS);
            });
            timing.run(warming, measuring);
        }
    }

    private static void expect(boolean right) {
        if (!right) {
            throw new AssertionError("a wrong answer");
        }
    }
}
