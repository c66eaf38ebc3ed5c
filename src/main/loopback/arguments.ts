/** What the loopback host was asked for. */
export interface LoopbackArguments {
  /** Open the user's browser. */
  readonly open: boolean
  /** 0 lets the system choose. */
  readonly port: number
  /** Anything that is no switch: files to take in. */
  readonly rest: readonly string[]
}

/** Reads the command line; throws an Error whose message is for the user. */
export function parseArguments(args: readonly string[]): LoopbackArguments {
  let open = true
  let port = 0
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--no-open') open = false
    else if (arg === '--port') port = parsePort(args[++at])
    else if (arg.startsWith('--port=')) port = parsePort(arg.slice('--port='.length))
    else if (arg.startsWith('-')) throw new Error(`Lectern does not know ${arg}`)
    else rest.push(arg)
  }
  return { open, port, rest }
}

function parsePort(text: string | undefined): number {
  const port = Number(text)
  if (text === undefined || !/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error('--port wants a number from 0 to 65535')
  return port
}
