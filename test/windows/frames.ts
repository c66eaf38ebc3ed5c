import { deserialize, serialize } from 'node:v8'

/** A message as bytes: its length in four bytes, then V8's serialization of it. */
export function framed(message: unknown): Buffer {
  const body = serialize(message)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([length, body])
}

/** Reads messages of {@link framed} from the pieces of a stream; calls back once for each whole one. */
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

/** Changes every text of a message in place, however deep; the message is ours, as {@link frames} made it. */
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

/** Wine shows the whole file system as this drive. */
export const drive = 'Z:'

/** The text with paths below the root, which is one of Linux, as Node for Windows writes them. */
export const onDrive = (root: string) => (text: string) =>
  text === root || text.startsWith(`${root}/`) ? `${drive}${text}` : text

/** The text with paths below the root as Linux writes them. */
export const offDrive = (root: string) => (text: string) =>
  text.replaceAll(`/${drive}${root}`, root).replaceAll(`${drive}${root}`, root)
