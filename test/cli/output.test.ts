import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createOutput, visible } from '../../src/cli/output.ts'

/** Creates a stream that records its output, as a terminal or not. */
function stream(isTTY: boolean) {
  const written = new PassThrough()
  return Object.assign(written, { isTTY, text: () => String(written.read() ?? '') })
}
const redactor = { maskKnown: (text: string) => text.replaceAll('the-key', '[redacted]') }

/** Sequences that set the clipboard, clear the screen, and hide or reverse text. */
const hostile = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u202egnp.exe\u200b\u2028\u{e0041}\r'

test('escapes control sequences for a terminal in JSON, raw text, messages and failures', () => {
  const [out, err] = [stream(true), stream(true)]
  const output = createOutput(out, err, redactor)
  const nothingObeyed = /^[^\p{Cc}\p{Cf}\u2028]*$/u
  output.json({ text: hostile }, false)
  const json = out.text()
  expect(json.trimEnd()).toMatch(nothingObeyed)
  expect(JSON.parse(json)).toEqual({ text: hostile })
  output.text(`${hostile} the-key`)
  expect(out.text().trimEnd()).toBe(
    String.raw`\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u202egnp.exe\u200b\u2028\udb40\udc41\u000d [redacted]`,
  )
  for (const write of [() => output.say(hostile), () => output.failure({ message: hostile })]) {
    write()
    expect(err.text().trimEnd()).toMatch(nothingObeyed)
  }
})

test('keeps lines, tabs and joiners; writes text unchanged to a file or a pipe', () => {
  const plain = 'a\tb\r\nc\n👩\u200d💻 می\u200cخواهم 汉字'
  expect(visible(plain)).toBe(plain)
  const [out, err] = [stream(false), stream(false)]
  createOutput(out, err, redactor).text(hostile)
  expect(out.text()).toBe(`${hostile}\n`)
})
