import { deserialize, serialize } from 'node:v8'

/** Encodes a message as bytes: its length in four bytes, then its V8 serialization. */
export function framed(message: unknown): Buffer {
  const body = serialize(message)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([length, body])
}

/**
 * Returns a reader for the chunks of a stream of {@link framed} messages; calls back once for each complete one.
 */
export function frames(receive: (message: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let held = 0
  let wanted = 4
  return (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    if (held < wanted) return
    let rest = Buffer.concat(chunks)
    while (rest.length >= 4) {
      const end = 4 + rest.readUInt32LE()
      if (rest.length < end) break
      receive(deserialize(rest.subarray(4, end)))
      rest = rest.subarray(end)
    }
    chunks = [rest]
    held = rest.length
    wanted = rest.length < 4 ? 4 : 4 + rest.readUInt32LE()
  }
}

/** Changes every string of a message in place, at any depth; the message is ours, created by {@link frames}. */
export function changeTexts(message: unknown, change: (text: string) => string): unknown {
  const seen = new Set<object>()
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (typeof value !== 'object' || value === null || seen.has(value)) return value
    seen.add(value)
    if (value instanceof Map) for (const [key, one] of value) value.set(key, visit(one))
    else if (!ArrayBuffer.isView(value))
      for (const key of Object.keys(value)) Reflect.set(value, key, visit(Reflect.get(value, key)))
    return value
  }
  return visit(message)
}

/** Drive letter under which Wine maps the whole file system. */
export const drive = 'Z:'

/** Returns a function that converts Linux paths below the root to the form of Node for Windows. */
export const onDrive = (root: string) => (text: string) =>
  text === root || text.startsWith(`${root}/`) ? `${drive}${text}` : text

/** Returns a function that converts paths below the root to the form of Linux. */
export const offDrive = (root: string) => (text: string) =>
  text.replaceAll(`/${drive}${root}`, root).replaceAll(`${drive}${root}`, root)
