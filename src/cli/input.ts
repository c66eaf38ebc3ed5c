import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from './arguments.ts'
import { UsageError } from './usage-error.ts'

/** Returns the complete input: the given JSON, overridden by the flags. Throws UsageError. */
export async function readInput(
  command: Extract<Command, { type: 'run' }>,
  stdin: NodeJS.ReadableStream,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await jsonText(command.json, stdin)
  if (text === null) return command.flags
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError('The JSON is invalid')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('The JSON must be an object with the fields of the operation')
  return { ...value, ...command.flags }
}

async function jsonText(
  source: string | null,
  stdin: NodeJS.ReadableStream,
): Promise<string | null> {
  if (source === null) return null
  if (source === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString('utf8')
  }
  if (!source.startsWith('@')) return source
  try {
    return await readFile(resolve(source.slice(1)), 'utf8')
  } catch {
    throw new UsageError('The --json file can’t be read')
  }
}
