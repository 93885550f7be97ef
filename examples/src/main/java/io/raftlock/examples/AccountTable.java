package io.raftlock.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The storage that the lock protects: one table of a database in memory. It remembers with each row
 * the greatest token that wrote it, and takes no write with a smaller one. That is all that a guard
 * needs, and it is safe from a client that has lost the lock and does not know it yet.
 */
final class AccountTable implements AutoCloseable {
    private final Connection connection;

    AccountTable() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE account (id VARCHAR PRIMARY KEY, balance BIGINT, fence BIGINT)");
        }
    }

    void open(String id) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO account VALUES (?, 0, 0)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    /** Writes under the lock that was granted with the token; false if the guard refused. */
    boolean write(String id, long balance, long token) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?")) {
            update.setLong(1, balance);
            update.setLong(2, token);
            update.setString(3, id);
            update.setLong(4, token);
            return update.executeUpdate() == 1;
        }
    }

    long balance(String id) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
            query.setString(1, id);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next()) {
                    throw new DemoFailure("no account " + id);
                }
                return rows.getLong(1);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
