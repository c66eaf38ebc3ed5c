/** Positions of the calls of an answer that a result may belong to. */
export interface CallPlaces {
  /** Adds a call. `isOpen`: it has no result yet. */
  enter(call: { readonly callId: string; readonly tool: string }, at: number, isOpen: boolean): void
  /** Returns all calls with an ID, in order; none for an empty ID. */
  ofId(callId: string): readonly number[]
  /** Returns the oldest open call for a result: by ID, otherwise by tool if either has no ID. */
  openFor(callId: string, tool: string): number | undefined
}

interface Waiting {
  readonly calls: number[]
  /** Calls before this index are finished. */
  head: number
}

/** Creates it without calls; `isOpen` returns whether the call at a position is still open. */
export function createCallPlaces(isOpen: (at: number) => boolean): CallPlaces {
  const byId = new Map<string, number[]>()
  const openById = new Map<string, Waiting>()
  const openByTool = new Map<string, Waiting>()
  const nameless = new Map<string, Waiting>()

  const wait = (lists: Map<string, Waiting>, name: string, at: number): void => {
    const known = lists.get(name)
    if (known) known.calls.push(at)
    else lists.set(name, { calls: [at], head: 0 })
  }
  const oldest = (waiting: Waiting | undefined): number | undefined => {
    if (!waiting) return undefined
    for (; waiting.head < waiting.calls.length; waiting.head++) {
      const at = waiting.calls[waiting.head]
      if (at !== undefined && isOpen(at)) return at
    }
    return undefined
  }
  return {
    enter({ callId, tool }, at, waits) {
      if (callId !== '') {
        const known = byId.get(callId)
        if (known) known.push(at)
        else byId.set(callId, [at])
      }
      if (!waits) return
      wait(openByTool, tool, at)
      if (callId === '') wait(nameless, tool, at)
      else wait(openById, callId, at)
    },
    ofId: (callId) => byId.get(callId) ?? [],
    openFor: (callId, tool) =>
      callId === ''
        ? oldest(openByTool.get(tool))
        : (oldest(openById.get(callId)) ?? oldest(nameless.get(tool))),
  }
}
