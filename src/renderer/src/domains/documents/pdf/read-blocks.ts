/** Reads bytes `begin` to `end` (exclusive); null on failure. */
export type ReadRange = (
  begin: number,
  end: number,
  signal: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer> | null>

/** Bytes read at once, and the number of cached blocks. */
interface BlockOptions {
  readonly bytes: number
  readonly block: number
  readonly held: number
}

/**
 * Reads a file in blocks and returns any range of it. pdf.js reads every page once while it opens a file, one range
 * after the other: hundreds of round trips in a file of scans, where a few large reads are faster. Only the last used
 * blocks are cached.
 */
export function readBlocks({ bytes, block, held }: BlockOptions, read: ReadRange): ReadRange {
  const blocks = new Map<number, Promise<Uint8Array<ArrayBuffer> | null>>()

  function at(index: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
    const known = blocks.get(index)
    const content = known ?? read(index * block, Math.min(bytes, (index + 1) * block), signal)
    blocks.delete(index)
    blocks.set(index, content)
    if (!known) void content.then((got) => got ?? blocks.delete(index))
    for (const old of blocks.keys()) {
      if (blocks.size <= held) break
      blocks.delete(old)
    }
    return content
  }

  return async (begin, end, signal) => {
    const first = Math.floor(begin / block)
    const last = Math.floor((end - 1) / block)
    // A range of more blocks than are cached would evict itself.
    if (last - first >= held) return read(begin, end, signal)
    const wanted = Array.from({ length: last - first + 1 }, (_, place) => at(first + place, signal))
    const parts = await Promise.all(wanted)
    const chunk = new Uint8Array(end - begin)
    for (const [place, part] of parts.entries()) {
      if (!part) return null
      const start = (first + place) * block
      const from = Math.max(begin, start)
      const to = Math.min(end, start + part.length)
      chunk.set(part.subarray(from - start, to - start), from - begin)
    }
    return chunk
  }
}
