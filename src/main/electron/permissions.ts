import { desktopCapturer, session, type Streams } from 'electron'
import { captureGrant, type CaptureGrant } from '../security/display-media.ts'
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
    (request, callback) => {
      const grant = captureGrant({
        frameUrl: request.frame?.url ?? null,
        isTopFrame: request.frame?.parent === null,
        audio: request.audioRequested,
        userGesture: request.userGesture,
        platform: process.platform,
      })
      void capture(grant).then(callback)
    },
    { useSystemPicker: true },
  )
  defaultSession.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !mayLoad(details.url, devToolsAllowed) })
  })
  defaultSession.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL())) event.preventDefault()
  })
}

/** The first screen, where the system has no picker of its own; null refuses. */
async function capture(grant: CaptureGrant): Promise<Streams | null> {
  if (!grant.ok) return null
  const [screen] = await desktopCapturer.getSources({ types: ['screen'] }).catch(() => [])
  return screen ? { video: screen, ...(grant.loopbackAudio && { audio: 'loopback' }) } : null
}
