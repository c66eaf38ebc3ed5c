import type { HostServices } from '../../host.ts'

/**
 * Services of the host as they cross the process boundary: their data and the names of their functions (`proxyFor`,
 * `quick.show`).
 */
export interface ServiceDescription {
  readonly data: Readonly<Record<string, unknown>>
  readonly functions: readonly string[]
}

type Callable = (...args: readonly unknown[]) => unknown

const isCallable = (value: unknown): value is Callable => typeof value === 'function'

/**
 * Describes services for the other process. A group of functions (`quick`) has one level; its data is not transferred.
 */
export function describeServices(services: HostServices): ServiceDescription {
  const data: Record<string, unknown> = {}
  const functions: string[] = []
  for (const [name, value] of Object.entries(services) as [string, unknown][]) {
    if (isCallable(value)) functions.push(name)
    else if (typeof value === 'object' && value !== null) {
      for (const [inner, member] of Object.entries(value) as [string, unknown][])
        if (isCallable(member)) functions.push(`${name}.${inner}`)
    } else if (value !== undefined) data[name] = value
  }
  return { data, functions }
}

/** Calls a service by the name that {@link describeServices} returned; throws for every other name. */
export function callService(
  services: HostServices,
  name: string,
  args: readonly unknown[],
): unknown {
  if (!describeServices(services).functions.includes(name))
    throw new Error(`The host has no service ${name}`)
  const [outer = '', inner] = name.split('.')
  const group = services as unknown as Record<string, unknown>
  const owner = inner === undefined ? group : (group[outer] as Record<string, unknown>)
  const service = owner[inner ?? outer]
  if (isCallable(service)) return service.apply(owner, [...args])
  return undefined
}

/** Creates the services in the other process: the same shape, each function calls `call`. */
export function remoteServices(
  { data, functions }: ServiceDescription,
  call: (name: string, args: readonly unknown[]) => Promise<unknown>,
): HostServices {
  const services: Record<string, unknown> = { ...data }
  for (const name of functions) {
    const [outer = '', inner] = name.split('.')
    const remote: Callable = (...args) => call(name, args)
    if (inner === undefined) services[outer] = remote
    else services[outer] = { ...(services[outer] as object | undefined), [inner]: remote }
  }
  return services as unknown as HostServices
}
