import { setupSteadyThreads } from '../system/v8-wasm-workaround.ts'
import { removeUnlockedCopies } from '../system/unlocked-copies.ts'
import { createRedactor } from '../main/security/redact.ts'
import { readArguments } from './arguments.ts'
import { operationHelp, overview } from './help.ts'
import { exitCodes, formatError } from './outcome.ts'
import { createOutput } from './output.ts'
import { runOperation } from './run.ts'

const { stdin, stdout, stderr, env } = process
const redactor = createRedactor()
const output = createOutput(stdout, stderr, redactor)
const stop = new AbortController()

/** The first Ctrl-C, or the end of the terminal, cancels the request cleanly; a second one ends the program. */
function onSignal(): void {
  if (stop.signal.aborted) process.exit(exitCodes.cancelled)
  stop.abort()
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
// Files written here are private: audio, documents, answers.
process.umask(0o077)
setupSteadyThreads()
// Copies of locked PDFs left by a killed command.
await removeUnlockedCopies()

try {
  const command = readArguments(process.argv.slice(2))
  if (command.type === 'help')
    output.text(command.operation === null ? overview() : operationHelp(command.operation))
  else
    await runOperation(command, {
      env,
      stdin,
      forEyes: stdout.isTTY,
      output,
      redactor,
      signal: stop.signal,
    })
} catch (error) {
  const { exitCode, line } = formatError(error)
  output.failure(line)
  process.exitCode = stop.signal.aborted ? exitCodes.cancelled : exitCode
}
// A terminal that was read from would keep the program running.
stdin.pause()
