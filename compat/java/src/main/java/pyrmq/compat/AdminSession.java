// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.rocketmq.tools.command.MQAdminStartup;

/**
 * Runs many mqadmin commands in one process: each line of standard input is one, its words separated by tabs;
 * what it prints is followed by a line with a NUL. Starting a process for each would take most of the time.
 */
public final class AdminSession {
    private AdminSession() {
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            MQAdminStartup.main0(line.split("\t"), null);
            out.println("\0");
            out.flush();
        }
        Runtime.getRuntime().halt(0);
    }
}
