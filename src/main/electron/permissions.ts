import { session } from 'electron'
import { captureGrant } from '../security/display-media.ts'
import { permits } from '../security/permissions.ts'
import { mayLoad } from '../security/request-filter.ts'

/** Puts the tables of what the page may ask for and load on the session. */
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
  // Without the system's picker: where it is used this handler is not, and the answer is a picture without sound.
  defaultSession.setDisplayMediaRequestHandler(
    ({ frame, audioRequested, userGesture }, callback) => {
      const grant = captureGrant({
        frameUrl: frame?.url ?? null,
        isTopFrame: frame?.parent === null,
        audio: audioRequested,
        userGesture,
      })
      if (!frame || !grant.ok) return callback(null)
      // The page wants the sound alone, but must take a picture with it: its own, so that no permission for the screen is asked.
      callback({ video: frame, ...(grant.loopbackAudio && { audio: 'loopback' }) })
    },
  )
  defaultSession.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !mayLoad(details.url, devToolsAllowed) })
  })
}
