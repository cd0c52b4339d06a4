package programs.jdbc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import programs.Bytes;
import programs.Console;

/** A conversation with a database, in statements that every database understands. */
public final class Client {

    private static final int ROWS = 1_000;
    private static final int LARGE = 1 << 20;

    private final Connection connection;

    private Client(Connection connection) {
        this.connection = connection;
    }

    /** Arguments: the database's URL, and the database's name for the type of a large binary value. */
    public static void main(String[] args) throws Exception {
        Console.open();
        try (Connection connection = DriverManager.getConnection(args[0])) {
            Client client = new Client(connection);
            client.tables(args[1]);
            client.batch();
            client.query();
            client.largeValue();
            client.transaction();
            client.mistakes();
            client.noTables();
        }
        Console.say("closed");
    }

    private void tables(String large) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table numbers (n int not null, name varchar(40) not null,"
                    + " constraint once primary key (n))");
            statement.execute("create table large (n int primary key, content " + large + ")");
            Console.untilTold(() -> {
                statement.executeQuery("select count(*) from numbers").close();
                return null;
            });
        }
    }

    private void batch() throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into numbers values (?, ?)")) {
            for (int n = 0; n < ROWS; n++) {
                insert.setInt(1, n);
                insert.setString(2, "number " + n + " \u00e4\u20ac");
                insert.addBatch();
            }
            Console.say(Arrays.stream(insert.executeBatch()).sum() + " rows inserted");
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void query() throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select n, name from numbers where n >= ? order by n desc")) {
            select.setFetchSize(100);
            select.setInt(1, 10);
            int rows = 0;
            int hash = 0;
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows++;
                    hash = 31 * (31 * hash + found.getInt(1)) + found.getString("name").hashCode();
                }
            }
            Console.say(rows + " rows, hash " + hash);
        }
    }

    private void largeValue() throws Exception {
        byte[] content = Bytes.of(1, LARGE);
        try (PreparedStatement insert = connection.prepareStatement("insert into large values (1, ?)")) {
            insert.setBinaryStream(1, new ByteArrayInputStream(content), content.length);
            Console.say(insert.executeUpdate());
        }
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select content from large where n = 1")) {
            found.next();
            try (InputStream in = found.getBinaryStream(1)) {
                byte[] back = in.readAllBytes();
                Console.say(Bytes.digest(back) + ": " + Arrays.equals(content, back));
            }
        }
    }

    private void transaction() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            Console.say(statement.executeUpdate("delete from numbers where n < 500") + " rows deleted");
            Console.say(count() + " left");
            connection.rollback();
            Console.say(count() + " after all");
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private int count() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select count(*) from numbers")) {
            found.next();
            return found.getInt(1);
        }
    }

    private void mistakes() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into numbers values (1, 'again')");
        } catch (SQLException e) {
            Console.say(e.getSQLState() + ": " + e.getMessage());
        }
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("insert into numbers values (-1, 'new')");
            statement.addBatch("insert into numbers values (1, 'again')");
            statement.executeBatch();
        } catch (BatchUpdateException e) {
            Console.say(e.getSQLState() + " after " + e.getUpdateCounts()[0]);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("selekt 1");
        } catch (SQLException e) {
            Console.say(e.getSQLState() + ": " + e.getMessage());
        }
    }

    private void noTables() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("drop table numbers");
            statement.execute("drop table large");
        }
    }
}
