// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs another main class and ends the process at once when standard input ends. The parent holds the other
 * end of that pipe, so a server never outlives the test that started it, even one that was killed.
 */
public final class Guard {
    private Guard() {
    }

    public static void main(String[] args) throws Exception {
        Thread watch = new Thread(Guard::haltAtEndOfInput, "pyrmq-guard");
        watch.setDaemon(true);
        watch.start();
        Class.forName(args[0])
            .getMethod("main", String[].class)
            .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    }

    private static void haltAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException e) {
            // a broken pipe is the end as well
        }
        Runtime.getRuntime().halt(137);
    }
}
