package io.raftlock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;

/** The storage that looks at the token is safe from whoever has lost the lock unawares. */
class AccountTableTest {
    private AccountTable accounts;

    @BeforeEach
    void open() throws SQLException {
        accounts = new AccountTable();
        accounts.open("a");
    }

    @AfterEach
    void close() throws SQLException {
        accounts.close();
    }

    @Test
    void theFirstTokenEverIsAccepted() throws SQLException { // E14
        assertThat(accounts.write("a", 5, 1)).isTrue();
        assertThat(accounts.balance("a")).isEqualTo(5);
    }

    @Test
    void aHolderMayWriteAsOftenAsItLikes() throws SQLException { // E14
        assertThat(accounts.write("a", 5, 10)).isTrue();
        assertThat(accounts.write("a", 6, 10)).isTrue();
        assertThat(accounts.balance("a")).isEqualTo(6);
    }

    @Test
    void aHolderThatWasPausedIsRefusedOnceTheNextHasWritten() throws SQLException { // E14
        accounts.write("a", 5, 10);
        accounts.write("a", 7, 20);
        assertThat(accounts.write("a", 6, 10)).isFalse();
        assertThat(accounts.balance("a")).isEqualTo(7);
        assertThat(accounts.write("a", 8, 20)).isTrue();
    }
}
