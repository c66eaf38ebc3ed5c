import type { CdpSession } from './cdp.ts'

interface Scope {
  readonly callFrameId: string
}

/**
 * Answers `webUtils.getPathForFile` of a page: the page pauses at a `debugger` statement in the isolated world, and the
 * browser returns the path of the file in a variable there (`DOM.getFileInfo`; '' for a file created by the page).
 */
export function watchFiles(target: CdpSession): void {
  target.on('Debugger.paused', ({ callFrames }: { callFrames: readonly Scope[] }) => {
    void answer(target, callFrames[0]?.callFrameId).finally(() =>
      target.sendIgnoringErrors('Debugger.resume'),
    )
  })
}

async function answer(target: CdpSession, callFrameId: string | undefined): Promise<void> {
  if (callFrameId === undefined) return
  const evaluate = (expression: string): Promise<{ result: { objectId?: string } }> =>
    target.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true })
  const { result } = await evaluate('typeof standinFile === "undefined" ? null : standinFile')
  if (result.objectId === undefined) return
  const { path } = await target.send<{ path: string }>('DOM.getFileInfo', {
    objectId: result.objectId,
  })
  await evaluate(`standinPath = ${JSON.stringify(path)}`)
}
