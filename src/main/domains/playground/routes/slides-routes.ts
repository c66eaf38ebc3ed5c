import { slidesVariables } from '../../../../shared/contract/slides.ts'
import { versionOwnerOf } from '../../../../shared/model/remote-item.ts'
import { parseJson } from '../../../provider-client/json.ts'
import { readSlidesConversation } from '../../../provider-client/slides-events.ts'
import type { SavedFiles } from '../service/saved-files/saved-files.ts'
import type { Packs } from '../service/saved-files/file-packs.ts'
import type { RemoteItems } from '../service/remote-items/remote-items.ts'
import { viewOf } from '../service/remote-items/reader.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/**
 * Handlers of presentations of the slides agent: fetches them and saves their pages and files (service-notes 10).
 */
export const slidesHandlers = (
  remoteItems: RemoteItems,
  savedFiles: Pick<SavedFiles, 'of' | 'retry'>,
  packs: Pick<Packs, 'pack'>,
): Pick<
  Handlers,
  | 'slides.fetch'
  | 'slides.list'
  | 'slides.get'
  | 'slides.raw'
  | 'slides.refresh'
  | 'slides.retry'
  | 'slides.pack'
  | 'slides.rename'
  | 'slides.remove'
  | 'slides.restore'
> => ({
  'slides.fetch': ({ conversationId, variables, accountId }) =>
    remoteItems.fetch({ kind: 'slides', remoteId: conversationId, asked: variables, accountId }),
  'slides.list': (query) => remoteItems.list({ kind: 'slides', ...query }),
  'slides.get'({ id, version: wanted }) {
    const { item: remoteItem, versions, version, reply } = remoteItems.get('slides', id, wanted)
    const names = { conversationId: remoteItem.remoteId, agentId: '' }
    const variables = slidesVariables.safeParse(remoteItem.asked)
    return {
      remoteItem: viewOf(remoteItem),
      variables: variables.success ? variables.data : {},
      versions,
      version,
      conversation: reply && readSlidesConversation(parseJson(reply.body), names),
      files: version === null ? [] : savedFiles.of(versionOwnerOf(id, version)),
    }
  },
  'slides.raw': ({ id, version }) => ({ reply: remoteItems.get('slides', id, version).reply }),
  'slides.refresh': ({ id }) => remoteItems.refresh('slides', id),
  async 'slides.retry'({ id, version: wanted }) {
    const { version, versions } = remoteItems.get('slides', id, wanted)
    // A new response brings new URLs; without one, the old URLs may still work.
    if (version === versions[0]?.number)
      await remoteItems.refresh('slides', id).catch(() => undefined)
    if (version !== null) savedFiles.retry(versionOwnerOf(id, version))
    return {}
  },
  'slides.pack'({ id, version: wanted }) {
    const { item: remoteItem, version } = remoteItems.get('slides', id, wanted)
    return packs.pack(
      remoteItem.title,
      version === null ? [] : savedFiles.of(versionOwnerOf(id, version)),
    )
  },
  'slides.rename': ({ id, title }) => remoteItems.rename('slides', id, title),
  async 'slides.remove'({ id }) {
    await remoteItems.remove('slides', id)
    return {}
  },
  'slides.restore': ({ id }) => remoteItems.restore('slides', id),
})
