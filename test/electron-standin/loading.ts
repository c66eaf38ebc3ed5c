import { fromPage } from './addresses.ts'
import { theBrowser } from './browser.ts'
import type { CdpSession } from './cdp.ts'
import { command, reportEvent } from './control.ts'
import { refused } from './strict.ts'
import type { WebContents } from './web-contents.ts'

interface PageState {
  destroyed: boolean
  url: string
  title: string
  crashed: boolean
}

interface Frame {
  readonly id: string
  readonly parentId?: string
  readonly url: string
  readonly urlFragment?: string
}

/**
 * The driver delays the first page of a window until it observes it; pages without scripts are not affected.
 */
const held = process.env['STANDIN_HOLD'] === '1'
const releases = new Map<string, () => void>()

command('release', (targetId: string) => {
  releases.get(targetId)?.()
  releases.delete(targetId)
})

/**
 * Observes a page's loading, navigation, crashes and dialogs, and emits the events of `electron_api_web_contents.cc`.
 */
export async function watchLoading(
  contents: WebContents,
  target: CdpSession,
  state: PageState,
): Promise<void> {
  const { targetId } = contents
  /** URL that the app itself loads: it causes no `will-navigate` event. */
  let own: string | null = null
  const ready =
    held && contents.preferences.javascript !== false
      ? new Promise<void>((resolve) => releases.set(targetId, resolve))
      : Promise.resolve()

  const load = async (url: string): Promise<void> => {
    await contents.target
    await ready
    if (state.destroyed) return
    own = withoutHash(url)
    const { errorText, loaderId } = await target.send<{ errorText?: string; loaderId?: string }>(
      'Page.navigate',
      { url },
    )
    if (loaderId === undefined) own = null
    if (errorText !== undefined) failed(url, errorText)
  }
  const failed = (url: string, errorText: string): void => {
    own = null
    const code = errorText.replace(/^net::/, '')
    contents.emit(
      'did-fail-load',
      {},
      code === 'ERR_ABORTED' ? -3 : -2,
      code,
      fromPage(url),
      true,
      1,
      1,
    )
    contents.emit('did-stop-loading', {})
  }
  contents.on('-load', (url: string) => void load(url).catch(() => {}))
  contents.on('-reload', (ignoreCache: boolean) => {
    own = withoutHash(state.url)
    target.sendIgnoringErrors('Page.reload', { ignoreCache })
  })

  target.on(
    'Fetch.requestPaused',
    (paused: {
      requestId: string
      request: { url: string; urlFragment?: string }
      frameId: string
      redirectedRequestId?: string
    }) => {
      const url = paused.request.url + (paused.request.urlFragment ?? '')
      const redirect = paused.redirectedRequestId !== undefined
      const isRequested = own !== null && withoutHash(url) === own
      if (!isRequested && contents.refusesNavigation(url, redirect)) {
        reportEvent('navigation-refused', { url: fromPage(url) })
        return target.sendIgnoringErrors('Fetch.failRequest', {
          requestId: paused.requestId,
          errorReason: 'Aborted',
        })
      }
      target.sendIgnoringErrors('Fetch.continueRequest', { requestId: paused.requestId })
    },
  )
  target.on('Page.frameNavigated', ({ frame }: { frame: Frame }) => {
    if (frame.parentId !== undefined || frame.url === 'about:blank') return
    own = null
    state.crashed = false
    state.url = frame.url + (frame.urlFragment ?? '')
    contents.emit('did-start-navigation', {}, contents.getURL(), false, true)
    contents.emit('did-navigate', {}, contents.getURL(), 200, 'OK')
  })
  target.on('Page.navigatedWithinDocument', ({ url }: { url: string }) => {
    state.url = url
    contents.emit('did-navigate-in-page', {}, contents.getURL(), true, 1, 1)
  })
  const shown = (): boolean => state.url !== ''
  target.on('Page.domContentEventFired', () => shown() && contents.emit('dom-ready', {}))
  target.on('Page.loadEventFired', () => shown() && contents.emit('did-finish-load', {}))
  target.on('Page.frameStoppedLoading', () => shown() && contents.emit('did-stop-loading', {}))
  target.on('Page.lifecycleEvent', ({ name }: { name: string }) => {
    // `WebContents::OnFirstNonEmptyLayout`
    if (name === 'firstContentfulPaint' && shown()) contents.emit('-painted')
  })
  target.on('Inspector.targetCrashed', () => {
    state.crashed = true
    reportEvent('crashed', { id: contents.id })
    contents.link.leave()
    contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
  })
  target.on('Page.javascriptDialogOpening', ({ type }: { type: string }) => {
    if (type !== 'beforeunload') return
    // `WebContents::RunBeforeUnloadDialog`: preventing the event lets the page unload.
    const leave = refused(contents, 'will-prevent-unload', {})
    target.sendIgnoringErrors('Page.handleJavaScriptDialog', { accept: leave })
    if (!leave) contents.emit('-stayed')
  })
  target.on(
    'Page.windowOpen',
    (request: { url: string; windowName: string; windowFeatures: readonly string[] }) => {
      const url = fromPage(request.url)
      const answer = contents.openHandler?.({
        url,
        frameName: request.windowName === '_blank' ? '' : request.windowName,
        features: request.windowFeatures.join(','),
        disposition: 'foreground-tab',
        referrer: { url: '', policy: 'no-referrer' },
        postBody: null,
      } as never)
      reportEvent('window-open', { url, action: answer?.action ?? 'allow' })
      if (answer?.action !== 'deny') throw new Error('The stand-in opens no windows for pages')
    },
  )
  await target.send('Fetch.enable', {
    patterns: [{ resourceType: 'Document', requestStage: 'Request' }],
  })
  await closePopups(contents, state)
}

/**
 * Closes a window that a page opened despite the denial: here Chromium creates it before the app can be asked. A driver that
 * attaches to new pages holds them until it is ready, and `window.open` returns only then. If such a page is closed earlier, its
 * opener waits forever, so the page is released first.
 */
async function closePopups(contents: WebContents, state: PageState): Promise<void> {
  const { connection } = await theBrowser()
  const { browser } = connection
  interface TargetInfo {
    readonly targetId: string
    readonly openerId?: string
    readonly title: string
    readonly type: string
  }
  const close = async (targetId: string): Promise<void> => {
    const popup = await connection.attach(targetId)
    await popup.send('Runtime.runIfWaitingForDebugger')
    await browser.send('Target.closeTarget', { targetId })
  }
  const opened = ({ targetInfo }: { targetInfo: TargetInfo }): void => {
    if (targetInfo.type === 'page' && targetInfo.openerId === contents.targetId)
      // An error means that it is gone.
      close(targetInfo.targetId).catch(() => {})
  }
  const changed = ({ targetInfo }: { targetInfo: TargetInfo }): void => {
    if (targetInfo.targetId !== contents.targetId || targetInfo.title === state.title) return
    state.title = targetInfo.title
    contents.emit('page-title-updated', {}, targetInfo.title, true)
  }
  browser.on('Target.targetCreated', opened)
  browser.on('Target.targetInfoChanged', changed)
  contents.once('destroyed', () => {
    browser.off('Target.targetCreated', opened)
    browser.off('Target.targetInfoChanged', changed)
  })
}

const withoutHash = (url: string): string => url.replace(/#.*$/, '')
