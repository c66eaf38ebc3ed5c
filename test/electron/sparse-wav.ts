import { open } from 'node:fs/promises'

/** Writes a WAV file of silence that takes no space on disk. */
export async function sparseWav(path: string, bytes: number): Promise<void> {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(bytes - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(48_000, 24)
  header.writeUInt32LE(96_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes - 44, 40)
  const file = await open(path, 'w')
  await file.write(header)
  await file.truncate(bytes)
  await file.close()
}
