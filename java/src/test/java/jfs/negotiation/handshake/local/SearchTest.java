package jfs.negotiation.handshake.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import jfs.negotiation.handshake.LastFound;
import org.junit.jupiter.api.Test;

/** In which order a listener's names are asked. Also: how long it is remembered where a listener was found. */
class SearchTest {

    private static List<String> all(String first) {
        Names.Search search = new Names.Search(first, "a", 7);
        List<String> names = new ArrayList<>();
        for (String name = search.next(); name != null; name = search.next()) {
            names.add(name);
        }
        assertNull(search.next());
        return names;
    }

    @Test
    void itsAddressComesBeforeTheWildcardForEachNumber() {
        List<String> names = all(null);
        assertEquals(List.of("jfs/1/a:7#0", "jfs/1/*:7#0", "jfs/1/a:7#1", "jfs/1/*:7#1"), names.subList(0, 4));
        assertEquals(2 * Names.K_MAX, new HashSet<>(names).size());
        assertEquals(2 * Names.K_MAX, names.size());
    }

    @Test
    void theNameOfTheLastTimeComesFirstAndOnce() {
        List<String> names = all("jfs/1/*:7#3");
        assertEquals("jfs/1/*:7#3", names.get(0));
        assertEquals(2 * Names.K_MAX, names.size());
        assertEquals(new HashSet<>(all(null)), new HashSet<>(names));
    }

    @Test
    void aListenerThatIsLookedUpIsNotForgotten() {
        LastFound<String> found = new LastFound<>();
        found.put("kept", "there");
        for (int i = 0; i < LastFound.MOST; i++) {
            found.put("other " + i, "elsewhere");
            assertEquals("there", found.of("kept"));
        }
        assertNull(found.of("other 0"), "the one that was looked up longest ago gave way");
    }
}
