import { session } from 'electron'
import { captureGrant } from '../../platform/security/display-media.ts'
import { permits } from '../../platform/security/permissions.ts'
import { mayLoad } from '../../platform/security/request-filter.ts'

/** Sets the permissions of the page on the session, and what it may load. */
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
  // Without the system's picker: with it, this handler is not called, and the result is video without audio.
  defaultSession.setDisplayMediaRequestHandler(
    ({ frame, audioRequested, userGesture }, callback) => {
      const grant = captureGrant({
        frameUrl: frame?.url ?? null,
        isTopFrame: frame?.parent === null,
        audio: audioRequested,
        userGesture,
      })
      if (!frame || !grant.ok) return callback(null)
      // The page wants only the audio, but must also capture video: its own frame, so that no screen permission is needed.
      callback({ video: frame, ...(grant.loopbackAudio && { audio: 'loopback' }) })
    },
  )
  defaultSession.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !mayLoad(details.url, devToolsAllowed) })
  })
}
