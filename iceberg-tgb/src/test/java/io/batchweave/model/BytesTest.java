package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;

class BytesTest {
    @Test
    void equalBytesAreEqualValues() {
        Bytes bytes = Bytes.copyOf(new byte[] {1, (byte) 0xff});

        assertThat(bytes).isEqualTo(Bytes.fromHex("01FF")).hasSameHashCodeAs(Bytes.fromHex("01ff"));
        assertThat(bytes).isNotEqualTo(Bytes.fromHex("01fe")).isNotEqualTo(Bytes.EMPTY);
        assertThat((Object) bytes).isNotEqualTo("01ff");
        assertThat(Bytes.fromHex("0102").hashCode()).isNotEqualTo(Bytes.fromHex("0201").hashCode());
    }

    @Test
    void bytesAreShownInHex() {
        assertThat(Bytes.fromHex("00ffa0")).hasToString("00ffa0");
        assertThat(Bytes.fromHex("00ffa0").toHex()).isEqualTo("00ffa0");
        assertThat(Bytes.EMPTY).hasToString("");
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.fromHex("0"));
    }

    @Test
    void nobodyCanChangeTheBytesInside() {
        byte[] given = {1, 2};
        Bytes bytes = Bytes.copyOf(given);
        given[0] = 9;
        bytes.toArray()[1] = 9;

        assertThat(bytes.toArray()).containsExactly(1, 2);
        assertThat(bytes.asBuffer().isReadOnly()).isTrue();
        assertThat(bytes.asBuffer().remaining()).isEqualTo(bytes.length()).isEqualTo(2);
    }

    @Test
    void digestIsSha256() {
        MessageDigest computation = Bytes.sha256();
        computation.update("abc".getBytes(StandardCharsets.US_ASCII));

        assertThat(Bytes.digestOf(computation))
                .hasToString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Bytes.digestOf(Bytes.sha256()).length()).isEqualTo(Bytes.SHA256_BYTES);
    }
}
