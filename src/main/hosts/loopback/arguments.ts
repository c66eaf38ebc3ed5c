import { selfTestRequest, type SelfTestRequest } from '../support/self-test.ts'

/** Command-line arguments of the loopback host. */
export interface LoopbackArguments {
  /** Whether to open the user's browser. */
  readonly open: boolean
  /** 0 lets the system choose. */
  readonly port: number
  /** Tests everything on a separate library, prints the report, and exits. */
  readonly selfTest: SelfTestRequest | null
  /** Arguments other than switches: files to import. */
  readonly rest: readonly string[]
}

/** Parses the command line; throws an Error with a message for the user. */
export function parseArguments(
  args: readonly string[],
  folder: string = process.cwd(),
): LoopbackArguments {
  const selfTest = selfTestRequest(args, folder)
  let open = true
  let port = 0
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--no-open') open = false
    else if (arg === '--port') port = parsePort(args[++at])
    else if (arg.startsWith('--port=')) port = parsePort(arg.slice('--port='.length))
    else if (selfTest && /^--(self-test$|report=)/.test(arg)) continue
    else if (arg.startsWith('-')) throw new Error(`Unknown option: ${arg}`)
    else rest.push(arg)
  }
  return { open, port, selfTest, rest }
}

function parsePort(text: string | undefined): number {
  const port = Number(text)
  if (text === undefined || !/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error('--port needs a number from 0 to 65535')
  return port
}
