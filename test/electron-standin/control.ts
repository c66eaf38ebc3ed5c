/** A command of the driver. */
export interface ControlCommand {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

/** What the stand-in tells its driver: an answer to a command, or something that the app did. */
export type ControlMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: string }
  | ControlEvent

/** Something that the app did, in order. */
export interface ControlEvent {
  readonly event: string
  readonly detail: unknown
}

const send = process.send?.bind(process)
const commands = new Map<string, (...args: readonly never[]) => unknown>()

/** Whether a driver holds the other end of the control channel. */
export const driven = send !== undefined

// The app is not to know that it has a parent.
Object.defineProperty(process, 'send', { value: undefined })

/** Adds a command that the driver can give; what it returns must be plain data. */
export function command<A extends never[]>(name: string, handler: (...args: A) => unknown): void {
  commands.set(name, handler)
}

/** Tells the driver what the app did. Data that cannot be cloned is told as text. */
export function reportEvent(event: string, detail: unknown = null): void {
  if (!send || !process.connected) return
  try {
    send({ event, detail } satisfies ControlEvent)
  } catch {
    send({ event, detail: String(detail) } satisfies ControlEvent)
  }
}

async function answer({ id, name, args }: ControlCommand): Promise<void> {
  const handler = commands.get(name)
  try {
    if (!handler) throw new Error(`The stand-in has no command ${name}`)
    const value = await handler(...(args as never[]))
    if (process.connected) send?.({ id, ok: true, value } satisfies ControlMessage)
  } catch (error) {
    if (process.connected) send?.({ id, ok: false, error: String(error) } satisfies ControlMessage)
  }
}

/** Begins to listen. When the driver goes away, whatever ended it, the app ends with it. */
export function listenToDriver(): void {
  if (!send) return
  process.on('message', (message: ControlCommand) => void answer(message))
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}
