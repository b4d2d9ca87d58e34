// SPDX-License-Identifier: Apache-2.0
package pyrmq.compat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;

/** Writes all golden files of the RocketMQ version on the class path into the folder given as argument. */
public final class Golden {
    private final Path folder;

    private Golden(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException {
        Golden golden = new Golden(Files.createDirectories(Paths.get(args[0])));
        golden.write("codes.json", Json.write(CodeTables.all()) + "\n");
        golden.write("headers.jsonl", HeaderCases.all());
        golden.write("commands.jsonl", CommandCases.all());
        golden.write("records.jsonl", RecordCases.all());
        golden.write("batches.jsonl", MessageCases.batches());
        golden.write("properties.jsonl", MessageCases.properties());
        golden.write("ids.jsonl", MessageCases.ids());
        golden.write("compression.jsonl", CompressionCases.all());
        golden.write("bodies.jsonl", BodyCases.all());
        golden.write("hashes.jsonl", HashCases.all());
    }

    private void write(String name, List<Object> lines) throws IOException {
        write(name, lines.stream().map(line -> Json.write(line) + "\n").collect(Collectors.joining()));
    }

    private void write(String name, String text) throws IOException {
        Files.write(folder.resolve(name), text.getBytes(StandardCharsets.US_ASCII));
    }
}
