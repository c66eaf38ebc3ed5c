import {
  desktopCapturer,
  session,
  type DisplayMediaRequestHandlerHandlerRequest,
  type Streams,
} from 'electron'
import { captureGrant } from '../security/display-media.ts'
import { permits } from '../security/permissions.ts'
import { mayDownload, mayLoad } from '../security/request-filter.ts'

/** Puts the tables of what the page may ask for, load and save on the session. */
export function setupSession(devToolsAllowed: boolean): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const media = 'mediaTypes' in details ? details.mediaTypes : undefined
    callback(
      permits({ permission, url: details.requestingUrl, isMainFrame: details.isMainFrame, media }),
    )
  })
  defaultSession.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    permits({
      permission,
      url: details.requestingUrl ?? requestingOrigin,
      isMainFrame: details.isMainFrame,
      media: [details.mediaType ?? 'unknown'],
    }),
  )
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.setDisplayMediaRequestHandler(
    (request, callback) => void answerCapture(request, callback),
    { useSystemPicker: true },
  )
  defaultSession.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !mayLoad(details.url, devToolsAllowed) })
  })
  defaultSession.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL())) event.preventDefault()
  })
}

/** Hands out the first screen where the system has no picker of its own; null refuses. */
async function answerCapture(
  request: DisplayMediaRequestHandlerHandlerRequest,
  callback: (streams: Streams | null) => void,
): Promise<void> {
  const grant = captureGrant({
    frameUrl: request.frame?.url ?? null,
    isTopFrame: request.frame?.parent === null,
    audio: request.audioRequested,
    userGesture: request.userGesture,
    platform: process.platform,
  })
  if (!grant.ok) return callback(null)
  const [screen] = await desktopCapturer.getSources({ types: ['screen'] }).catch(() => [])
  if (!screen) return callback(null)
  callback({ video: screen, ...(grant.loopbackAudio && { audio: 'loopback' }) })
}
