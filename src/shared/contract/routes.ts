import type { z } from 'zod'
import { app as appRoutes } from './app.ts'
import { lazyRoutes, type Route } from './contract.ts'

const accounts = lazyRoutes(async () => (await import('./accounts.ts')).accounts)
const activity = lazyRoutes(async () => (await import('./activity.ts')).activity)
// Loaded from the start: a page needs `app.info` before it can address files, so nothing may overtake it.
const app = lazyRoutes(async () => appRoutes)
const archive = lazyRoutes(async () => (await import('./archive.ts')).archive)
const backups = lazyRoutes(async () => (await import('./backups.ts')).backups)
const chats = lazyRoutes(async () => (await import('./chats.ts')).chats)
const documents = lazyRoutes(async () => (await import('./documents.ts')).documents)
const embeddings = lazyRoutes(async () => (await import('./embeddings.ts')).embeddings)
const files = lazyRoutes(async () => (await import('./files.ts')).files)
const handover = lazyRoutes(async () => (await import('./document-transfer.ts')).handover)
const highlights = lazyRoutes(async () => (await import('./highlights.ts')).highlights)
const knowledge = lazyRoutes(async () => (await import('./knowledge.ts')).knowledge)
const library = lazyRoutes(async () => (await import('./library.ts')).library)
const meetings = lazyRoutes(async () => (await import('./meetings.ts')).meetings)
const network = lazyRoutes(async () => (await import('./network.ts')).network)
const quick = lazyRoutes(async () => (await import('./quick.ts')).quick)
const rerank = lazyRoutes(async () => (await import('./rerank.ts')).rerank)
const responses = lazyRoutes(async () => (await import('./responses.ts')).responses)
const retrieval = lazyRoutes(async () => (await import('./retrieval.ts')).retrieval)
const runs = lazyRoutes(async () => (await import('./runs.ts')).runs)
const selfTest = lazyRoutes(async () => (await import('./selfTest.ts')).selfTest)
const semantic = lazyRoutes(async () => (await import('./semantic.ts')).semantic)
const settings = lazyRoutes(async () => (await import('./settings.ts')).settings)
const shortcuts = lazyRoutes(async () => (await import('./shortcuts.ts')).shortcuts)
const slices = lazyRoutes(async () => (await import('./slices.ts')).slices)
const slides = lazyRoutes(async () => (await import('./slides.ts')).slides)
const speech = lazyRoutes(async () => (await import('./speech.ts')).speech)
const streams = lazyRoutes(async () => (await import('./streams.ts')).streams)
const system = lazyRoutes(async () => (await import('./system.ts')).system)
const tasks = lazyRoutes(async () => (await import('./tasks.ts')).tasks)
const updates = lazyRoutes(async () => (await import('./updates.ts')).updates)
const voices = lazyRoutes(async () => (await import('./voices.ts')).voices)
const work = lazyRoutes(async () => (await import('./work.ts')).work)

/** All routes of the bridge. The page imports only types from here. */
export const routes = {
  'app.info': app.info, // data for the first frame
  'app.storage': app.storage, // bytes by use
  'app.storageKinds': app.storageKinds, // bytes by kind
  'app.cleanUp': app.cleanUp,
  'app.openExternal': app.openExternal, // only route that opens the system browser
  'app.notify': app.notify, // shown by the system to a user in another program
  'app.eraseAll': app.eraseAll, // database, media, backups and API keys
  'archive.state': archive.state,
  'archive.export': archive.export, // the library, or a selection, as one file
  'archive.inspect': archive.inspect, // an archive, before anything is imported
  'archive.import': archive.import,
  'archive.cancel': archive.cancel,
  'archive.forget': archive.forget,
  'backups.list': backups.list,
  'backups.make': backups.make,
  'backups.inspect': backups.inspect, // its contents compared with the library
  'backups.restore': backups.restore, // the current library is backed up first
  'backups.remove': backups.remove,
  'updates.state': updates.state, // new versions of Lectern
  'updates.check': updates.check, // queries the mirrors
  'updates.download': updates.download,
  'updates.cancel': updates.cancel, // received data is saved
  'updates.install': updates.install, // backs up, installs and restarts
  'updates.rollBack': updates.rollBack, // to the previous version
  'shortcuts.state': shortcuts.state, // shortcuts that work in every program
  'shortcuts.use': shortcuts.use,
  'quick.show': quick.show, // the quick window for one question
  'quick.hide': quick.hide,
  'files.save': files.save, // copies to a location chosen by the user
  'files.reveal': files.reveal, // in the system's file manager
  'files.drag': files.drag, // drags out of the window
  'quick.leave': quick.leave, // continues in the main window
  'selfTest.state': selfTest.state, // checks of this computer
  'selfTest.start': selfTest.start,
  'selfTest.cancel': selfTest.cancel,
  'selfTest.answer': selfTest.answer, // result of a check in a page
  'system.microphone': system.microphone, // permission of the operating system
  'system.askMicrophone': system.askMicrophone,
  'system.openSettings': system.openSettings, // a page of the system settings, by name
  'system.showFolder': system.showFolder, // the data folder or the logs
  'system.login': system.login, // whether Lectern starts at login
  'system.setLogin': system.setLogin,
  'system.progress': system.progress, // in the taskbar
  'settings.get': settings.get,
  'settings.update': settings.update,
  'network.setProxy': network.setProxy, // all three ask for confirmation outside the page
  'network.addCertificates': network.addCertificates,
  'network.removeCertificates': network.removeCertificates,
  'accounts.list': accounts.list, // with key status, never the key
  'accounts.create': accounts.create,
  'accounts.update': accounts.update, // name, profile (Advanced)
  'accounts.remove': accounts.remove, // with its API key
  'accounts.activate': accounts.activate, // the account for new requests
  'accounts.setKey': accounts.setKey, // the only route for a key
  'accounts.clearKey': accounts.clearKey,
  'accounts.check': accounts.check, // one cheap request, explained
  'library.list': library.list,
  'library.entries': library.entries, // items and all other entries
  'library.tags': library.tags,
  'library.organize': library.organize, // stars, folders, tags
  'library.facets': library.facets, // available filters of a list
  'library.saveFolder': library.saveFolder,
  'library.removeFolder': library.removeFolder,
  'library.import': library.import, // a saved file as a meeting, a document or a chat
  'library.summary': library.summary,
  'library.rename': library.rename,
  'library.remove': library.remove, // to the Trash
  'library.restore': library.restore, // from the Trash
  'library.purge': library.purge, // permanently
  'library.search': library.search, // full text, Chinese and English
  'library.searchEntries': library.searchEntries, // the same for entries that are not items
  'documents.create': documents.create, // from a saved PDF or image
  'documents.get': documents.get,
  'documents.unlock': documents.unlock, // with a password, retained in memory
  'documents.plan': documents.plan, // pages that would be sent
  'documents.parse': documents.parse,
  'documents.cancel': documents.cancel,
  'documents.retry': documents.retry, // failed pages
  'documents.prioritise': documents.prioritise,
  'documents.queue': documents.queue, // in sending order
  'documents.pages': documents.pages, // with their blocks
  'documents.choose': documents.choose, // selects the current version of pages
  'documents.coverage': documents.coverage, // pages of each version
  'documents.compare': documents.compare, // two versions of a page
  'documents.block': documents.block, // one block, for a search result
  'documents.edit': documents.edit,
  'documents.find': documents.find, // within one document
  'documents.returned': documents.returned, // Markdown as received
  'documents.place': documents.place, // last reading position
  'documents.loadImage': documents.loadImage, // an image that a response names, on a click
  'documents.image': documents.image, // a page as an image
  'documents.images': documents.images, // the saved ones
  'documents.crop': documents.crop, // a block as an image
  'documents.export': documents.export,
  'highlights.list': highlights.list, // of a document
  'highlights.add': highlights.add,
  'highlights.change': highlights.change, // color or note
  'highlights.remove': highlights.remove, // can be undone
  'highlights.restore': highlights.restore,
  'highlights.export': highlights.export, // as a text, or in a copy of the PDF
  'documents.text': handover.text, // for questions about it
  'documents.bases': handover.bases, // available knowledge bases
  'documents.newBase': handover.newBase,
  'documents.push': handover.push, // adds its text to a knowledge base with a run
  'documents.pushes': handover.pushes, // where it was added
  'meetings.begin': meetings.begin, // a session before its first sample; audio is sent by PUT /capture
  'meetings.capture': meetings.capture, // pause, device or gap
  'meetings.reopen': meetings.reopen, // after the process of the app ended during a recording
  'meetings.stop': meetings.stop,
  'meetings.import': meetings.import, // any audio file of any length
  'meetings.get': meetings.get,
  'meetings.lines': meetings.lines,
  'meetings.update': meetings.update, // notes, engine, hotwords
  'meetings.fill': meetings.fill, // retries the gaps now
  'meetings.stopTranscription': meetings.stopTranscription, // until it is requested again
  'meetings.again': meetings.again, // transcribes ranges again, as suggestions
  'meetings.versions': meetings.versions,
  'meetings.decide': meetings.decide, // accepts or rejects suggestions
  'meetings.edit': meetings.edit, // lines and speakers
  'meetings.undo': meetings.undo,
  'meetings.redo': meetings.redo,
  'meetings.find': meetings.find, // within one meeting
  'meetings.bookmark': meetings.bookmark,
  'meetings.learn': meetings.learn, // vocabulary from corrections
  'meetings.templates': meetings.templates,
  'meetings.saveTemplate': meetings.saveTemplate,
  'meetings.removeTemplate': meetings.removeTemplate,
  'meetings.summarise': meetings.summarise,
  'meetings.removeSummary': meetings.removeSummary,
  'meetings.export': meetings.export, // txt, md, srt, vtt, json, docx
  'meetings.exportAudio': meetings.exportAudio, // wav, mp3
  'chats.list': chats.list,
  'chats.get': chats.get,
  'chats.create': chats.create,
  'chats.configure': chats.configure, // responder and its settings
  'chats.end': chats.end, // deletes a temporary or empty chat
  'chats.facets': chats.facets, // who answers
  'chats.draft': chats.draft,
  'chats.window': chats.window, // the end of the branch, or the messages around one
  'chats.more': chats.more,
  'chats.message': chats.message,
  'chats.text': chats.text, // a range of an answer that is longer than a message
  'chats.events': chats.events, // received events of a running answer
  'chats.ask': chats.ask,
  'chats.edit': chats.edit, // creates a sibling, nothing is lost
  'chats.regenerate': chats.regenerate, // creates a sibling, nothing is lost
  'chats.continue': chats.continue,
  'chats.stop': chats.stop, // saves the received part
  'chats.choose': chats.choose, // shows another branch
  'chats.unqueue': chats.unqueue,
  'chats.askElsewhere': chats.askElsewhere,
  'chats.send': chats.send,
  'chats.find': chats.find, // within one chat
  'chats.search': chats.search, // messages of all chats
  'chats.copy': chats.copy,
  'chats.export': chats.export, // md, html, json
  'chats.prompts': chats.prompts,
  'chats.savePrompt': chats.savePrompt,
  'chats.removePrompt': chats.removePrompt,
  'chats.assistants': chats.assistants, // as last listed
  'chats.slices': chats.slices, // positions of sources, by two IDs
  'chats.locate': chats.locate, // Library document of a source
  'voices.list': voices.list, // the provider's, mirrored
  'voices.preview': voices.preview, // its audio, saved
  'voices.remove': voices.remove, // at the provider
  'voices.samples': voices.samples, // cloned voices
  'voices.sample': voices.sample,
  'voices.createSample': voices.createSample, // from a file, a recording or a range of a meeting
  'voices.fixSample': voices.fixSample, // creates another version
  'voices.useVersion': voices.useVersion, // undo and redo
  'voices.describeSample': voices.describeSample, // transcript, language, consent
  'voices.transcribeSample': voices.transcribeSample,
  'voices.clone': voices.clone,
  'voices.exportSample': voices.exportSample,
  'knowledge.list': knowledge.list, // bases as last listed
  'knowledge.refresh': knowledge.refresh, // requests the list from the provider
  'retrieval.sets': retrieval.sets, // test sets: questions about knowledge bases
  'retrieval.set': retrieval.set,
  'retrieval.createSet': retrieval.createSet,
  'retrieval.configure': retrieval.configure,
  'retrieval.addQuestions': retrieval.addQuestions,
  'retrieval.editQuestion': retrieval.editQuestion,
  'retrieval.dropQuestions': retrieval.dropQuestions,
  'retrieval.restoreQuestions': retrieval.restoreQuestions,
  'retrieval.judgements': retrieval.judgements, // ratings of passages
  'retrieval.rate': retrieval.rate,
  'retrieval.saveQuestion': retrieval.saveQuestion, // saves a Playground question in a set
  'retrieval.ask': retrieval.ask, // one question, with and without reranking
  'retrieval.start': retrieval.start, // a whole set; continues after a restart
  'retrieval.runs': retrieval.runs,
  'retrieval.run': retrieval.run,
  'retrieval.row': retrieval.row,
  'retrieval.raw': retrieval.raw, // the raw response
  'retrieval.images': retrieval.images,
  'retrieval.stop': retrieval.stop, // saves the received part
  'retrieval.retry': retrieval.retry,
  'retrieval.rename': retrieval.rename,
  'retrieval.removeRuns': retrieval.removeRuns,
  'retrieval.restoreRuns': retrieval.restoreRuns,
  'retrieval.compare': retrieval.compare, // two runs, by the ratings of their results
  'retrieval.export': retrieval.export, // csv, json
  'retrieval.importRun': retrieval.importRun,
  'slices.request': slices.request, // positions of passages, by two IDs
  'slices.ofMessage': slices.ofMessage, // those fetched by a chat
  'slices.list': slices.list,
  'slices.get': slices.get,
  'slices.raw': slices.raw, // the raw response
  'slices.images': slices.images, // retries them
  'slices.remove': slices.remove,
  'slices.restore': slices.restore,
  'knowledge.get': knowledge.get,
  'knowledge.create': knowledge.create,
  'knowledge.update': knowledge.update,
  'knowledge.remove': knowledge.remove, // at the provider; saved data stays readable
  'knowledge.forget': knowledge.forget, // saved data of a deleted base
  'knowledge.documents': knowledge.documents, // as last listed
  'knowledge.refreshDocuments': knowledge.refreshDocuments,
  'knowledge.document': knowledge.document,
  'knowledge.removeDocuments': knowledge.removeDocuments,
  'knowledge.embed': knowledge.embed, // again: the given ones, or all that failed
  'knowledge.images': knowledge.images, // in the chunks of a document
  'knowledge.upload': knowledge.upload, // queues files and URLs
  'knowledge.uploads': knowledge.uploads,
  'knowledge.retryUploads': knowledge.retryUploads,
  'knowledge.dropUploads': knowledge.dropUploads,
  'knowledge.activity': knowledge.activity, // actions on a base
  'speech.create': speech.create, // a text to synthesize
  'speech.get': speech.get,
  'speech.segments': speech.segments,
  'speech.setText': speech.setText, // unchanged segments retain their takes
  'speech.configure': speech.configure, // voice, speed, pauses
  'speech.editSegment': speech.editSegment,
  'speech.speak': speech.speak, // missing segments, or some again
  'speech.stop': speech.stop,
  'speech.takes': speech.takes, // all generated versions of a segment
  'speech.choose': speech.choose,
  'speech.favour': speech.favour,
  'speech.check': speech.check, // transcribes segments to verify them
  'speech.join': speech.join, // one audio file of all segments
  'speech.export': speech.export, // wav, mp3
  'speech.duplicate': speech.duplicate,
  'speech.recentVoices': speech.recentVoices,
  'work.list': work.list, // everything that is running or waiting
  'work.move': work.move, // continues with another account
  'work.dismiss': work.dismiss, // a failed transcription
  'work.retryExport': work.retryExport,
  'work.removeExport': work.removeExport,
  'activity.list': activity.list,
  'activity.usage': activity.usage, // tokens by day and model
  'tasks.create': tasks.create, // creates a task and polls it until done
  'tasks.watch': tasks.watch, // tracks a task created elsewhere, by ID
  'tasks.list': tasks.list,
  'tasks.get': tasks.get, // with its result
  'tasks.raw': tasks.raw,
  'tasks.pack': tasks.pack, // archive of its files
  'tasks.rename': tasks.rename,
  'tasks.forget': tasks.forget,
  'tasks.restore': tasks.restore,
  'tasks.refresh': tasks.refresh, // polls now
  'tasks.retry': tasks.retry, // missing files
  'responses.fetch': responses.fetch, // stored Responses, by ID
  'responses.list': responses.list,
  'responses.get': responses.get, // newest or earlier version
  'responses.raw': responses.raw,
  'responses.refresh': responses.refresh, // fetches it again now
  'responses.rename': responses.rename,
  'responses.remove': responses.remove,
  'responses.restore': responses.restore,
  'slides.fetch': slides.fetch, // chat with the slides agent, by ID
  'slides.list': slides.list,
  'slides.get': slides.get, // with the saved files
  'slides.raw': slides.raw,
  'slides.refresh': slides.refresh, // fetches it again now
  'slides.retry': slides.retry, // missing files
  'slides.pack': slides.pack, // archive of its files
  'slides.rename': slides.rename,
  'slides.remove': slides.remove,
  'slides.restore': slides.restore,
  'semantic.indexes': semantic.indexes, // semantic indexes of the Library, with new items
  'semantic.plan': semantic.plan, // estimate of an embedding
  'semantic.begin': semantic.begin,
  'semantic.keepUp': semantic.keepUp, // indexes new items on this computer
  'semantic.resume': semantic.resume,
  'semantic.pause': semantic.pause,
  'semantic.stop': semantic.stop, // saves received vectors
  'semantic.remove': semantic.remove, // with its vectors
  'semantic.search': semantic.search, // semantic and keyword search
  'runs.operations': runs.operations, // available operations and their input fields
  'runs.start': runs.start, // any provider operation; all results are saved
  'runs.get': runs.get,
  'runs.list': runs.list,
  'runs.events': runs.events, // events of a stream so far
  'runs.raw': runs.raw,
  'runs.cancel': runs.cancel, // saves received data
  'runs.remove': runs.remove,
  'runs.rename': runs.rename,
  'runs.export': runs.export,
  'embeddings.plan': embeddings.plan, // estimated cost, and cached vectors
  'embeddings.start': embeddings.start, // embeds a file of texts
  'embeddings.resume': embeddings.resume, // sends only what is missing
  'embeddings.cancel': embeddings.cancel, // saves received vectors
  'embeddings.get': embeddings.get,
  'embeddings.list': embeddings.list,
  'embeddings.rename': embeddings.rename,
  'embeddings.remove': embeddings.remove, // to the Trash
  'embeddings.restore': embeddings.restore,
  'embeddings.query': embeddings.query, // vector of one more text
  'embeddings.items': embeddings.items, // writes Library texts to a file
  'embeddings.export': embeddings.export, // npy, csv, jsonl
  'rerank.start': rerank.start, // a query and candidates, saved with the results
  'rerank.resume': rerank.resume, // sends only what is missing
  'rerank.cancel': rerank.cancel,
  'rerank.get': rerank.get,
  'rerank.list': rerank.list,
  'rerank.rename': rerank.rename,
  'rerank.remove': rerank.remove, // to the Trash
  'rerank.restore': rerank.restore,
  'rerank.raw': rerank.raw, // raw response of one round
  'rerank.find': rerank.find, // Library passages as candidates
  'rerank.export': rerank.export, // csv, json, md
  'streams.attach': streams.attach, // its position and the next seq
  'streams.detach': streams.detach, // closes the view; the stream continues
  'streams.cancel': streams.cancel, // cancels a long call
} as const satisfies Record<string, () => Route | Promise<Route>>

export type RouteName = keyof typeof routes
type RouteOf<N extends RouteName> = Awaited<ReturnType<(typeof routes)[N]>>
/** Request as sent by the caller (defaults may be omitted). */
export type RequestOf<N extends RouteName> = z.input<RouteOf<N>['request']>
/** Request as received by the handler: parsed, with defaults. */
export type ParsedOf<N extends RouteName> = z.output<RouteOf<N>['request']>
export type ReplyOf<N extends RouteName> = NonNullable<RouteOf<N>['reply']>
