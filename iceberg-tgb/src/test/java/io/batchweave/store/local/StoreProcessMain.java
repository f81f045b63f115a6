package io.batchweave.store.local;

import static io.batchweave.store.Bodies.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.store.Bodies;
import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What runs in a {@link StoreProcess}. It never closes its store. */
final class StoreProcessMain {
    /** Bytes of what is uploaded and of what is created without end. */
    static final int BODY_BYTES = 300_000;

    private final LocalStore store;
    private final Map<String, Upload> uploads = new HashMap<>();

    private StoreProcessMain(LocalStore store) {
        this.store = store;
    }

    public static void main(String[] arguments) throws IOException {
        StoreProcessMain main =
                new StoreProcessMain(new LocalStore(Path.of(arguments[0]), World.real()));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(main.answer(line.split(" ")));
        }
    }

    private String answer(String[] command) {
        return switch (command[0]) {
            case "create" -> name(store.create(command[1], bytes(command[2])));
            case "upload" -> {
                Upload upload = store.upload(command[1]);
                upload.write(Bodies.pattern(0, BODY_BYTES));
                uploads.put(command[1], upload);
                yield "Uploading";
            }
            case "complete" -> name(uploads.get(command[1]).complete());
            case "churn" -> {
                for (int thread = 0; thread < 3; thread++) {
                    String folder = command[1] + "/" + thread;
                    new Thread(() -> createWithoutEnd(folder)).start();
                }
                yield "Churning";
            }
            default -> throw new IllegalArgumentException(command[0]);
        };
    }

    private void createWithoutEnd(String folder) {
        ByteBuffer body = Bodies.pattern(0, BODY_BYTES);
        for (int i = 0; ; i++) {
            store.create(folder + "/" + i, body);
        }
    }

    private static String name(Creation creation) {
        return creation.getClass().getSimpleName();
    }
}
