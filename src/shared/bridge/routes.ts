import type { z } from 'zod'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { app } from './app.ts'
import { archive } from './archive.ts'
import { backups } from './backups.ts'
import { chats } from './chats.ts'
import type { Route } from './contract.ts'
import { documents } from './documents.ts'
import { files } from './files.ts'
import { handover } from './document-transfer.ts'
import { jobs } from './jobs.ts'
import { knowledge } from './knowledge.ts'
import { library } from './library.ts'
import { meetings } from './meetings.ts'
import { network } from './network.ts'
import { quick } from './quick.ts'
import { retrieval } from './retrieval.ts'
import { selfTest } from './selfTest.ts'
import { settings } from './settings.ts'
import { shortcuts } from './shortcuts.ts'
import { slices } from './slices.ts'
import { speech } from './speech.ts'
import { streams } from './streams.ts'
import { system } from './system.ts'
import { transcriptions } from './transcriptions.ts'
import { updates } from './updates.ts'
import { voices } from './voices.ts'
import { work } from './work.ts'
import { playgroundRoutes } from './routes-playground.ts'
import { watched } from './routes-monitored.ts'

/** All routes of the bridge. The page imports only types from here. */
export const routes = {
  'app.info': app.info, // what the first frame needs
  'app.storage': app.storage, // bytes by use
  'app.storageKinds': app.storageKinds, // bytes by kind
  'app.cleanUp': app.cleanUp,
  'app.openExternal': app.openExternal, // a link to the system's browser, through the one gate
  'app.notify': app.notify, // by the system, to a user who looks elsewhere
  'app.eraseAll': app.eraseAll, // database, media, backups and keys
  'archive.state': archive.state,
  'archive.export': archive.export, // the library, or a selection, as one file
  'archive.inspect': archive.inspect, // into an archive, before anything is taken
  'archive.takeIn': archive.takeIn,
  'archive.cancel': archive.cancel,
  'archive.forget': archive.forget,
  'backups.list': backups.list,
  'backups.make': backups.make,
  'backups.inspect': backups.inspect, // what it holds beside what is here
  'backups.restore': backups.restore, // with the present state kept
  'backups.remove': backups.remove,
  'updates.state': updates.state, // new versions of Lectern
  'updates.check': updates.check, // asks the mirrors
  'updates.download': updates.download,
  'updates.cancel': updates.cancel, // what came is kept
  'updates.install': updates.install, // with a backup, and a restart
  'updates.rollBack': updates.rollBack, // to the version before
  'shortcuts.state': shortcuts.state, // keys that work in every program
  'shortcuts.use': shortcuts.use,
  'quick.show': quick.show, // the small window for one question
  'quick.hide': quick.hide,
  'files.save': files.save, // a copy where the user chooses
  'files.reveal': files.reveal, // in the system's file manager
  'files.drag': files.drag, // out of the window
  'quick.leave': quick.leave, // to the main window
  'selfTest.state': selfTest.state, // whether everything works on this computer
  'selfTest.start': selfTest.start,
  'selfTest.cancel': selfTest.cancel,
  'selfTest.answer': selfTest.answer, // what a page found
  'system.microphone': system.microphone, // what the operating system allows
  'system.askMicrophone': system.askMicrophone,
  'system.openSettings': system.openSettings, // a page of its settings, by name
  'system.showFolder': system.showFolder, // the data folder or the logs
  'system.login': system.login, // started when its user logs in
  'system.setLogin': system.setLogin,
  'system.progress': system.progress, // for the taskbar
  'settings.get': settings.get,
  'settings.update': settings.update,
  'network.setProxy': network.setProxy, // each asks the user outside of the page
  'network.addCertificates': network.addCertificates,
  'network.removeCertificates': network.removeCertificates,
  'accounts.list': accounts.list, // with key status, never a key
  'accounts.create': accounts.create,
  'accounts.update': accounts.update, // name, profile (Advanced)
  'accounts.remove': accounts.remove, // with its key
  'accounts.activate': accounts.activate, // where calls go from now on
  'accounts.setKey': accounts.setKey, // the one route a key enters by
  'accounts.clearKey': accounts.clearKey,
  'accounts.check': accounts.check, // one cheap call, explained
  'library.list': library.list,
  'library.entries': library.entries, // everything, items and the rest
  'library.tags': library.tags,
  'library.tag': library.tag,
  'library.kindOf': library.kindOf, // what a dropped file is to become
  'library.summary': library.summary,
  'library.get': library.get,
  'library.rename': library.rename,
  'library.remove': library.remove, // to the bin
  'library.restore': library.restore, // from the bin
  'library.purge': library.purge, // for good
  'library.search': library.search, // full text, Chinese and English
  'library.searchEntries': library.searchEntries, // the same, beside the items
  'transcriptions.start': transcriptions.start, // a dropped file becomes a recording and a job
  'transcriptions.again': transcriptions.again, // a new version
  'transcriptions.retry': transcriptions.retry, // a failed job
  'transcriptions.stop': transcriptions.stop, // keeps what came
  'documents.create': documents.create, // a kept PDF or picture
  'documents.get': documents.get,
  'documents.unlock': documents.unlock, // a password, kept in memory
  'documents.plan': documents.plan, // what would be sent
  'documents.parse': documents.parse,
  'documents.cancel': documents.cancel,
  'documents.retry': documents.retry, // failed pages
  'documents.prioritise': documents.prioritise,
  'documents.queue': documents.queue, // in the order of sending
  'documents.pages': documents.pages, // with their blocks
  'documents.choose': documents.choose, // which version stands
  'documents.coverage': documents.coverage, // which pages each version has
  'documents.compare': documents.compare, // two versions of a page
  'documents.block': documents.block, // one, for a hit of the search
  'documents.edit': documents.edit,
  'documents.find': documents.find, // within one document
  'documents.returned': documents.returned, // Markdown as it came
  'documents.place': documents.place, // where somebody was reading
  'documents.loadImage': documents.loadImage, // a picture that a reply names, for a click
  'documents.image': documents.image, // a page as a picture
  'documents.images': documents.images, // those that are kept
  'documents.crop': documents.crop, // a block as a picture
  'documents.export': documents.export,
  'documents.text': handover.text, // for whoever answers questions about it
  'documents.bases': handover.bases, // knowledge bases it can be added to
  'documents.newBase': handover.newBase,
  'documents.push': handover.push, // its text to a knowledge base, by a run
  'documents.pushes': handover.pushes, // where it was added to
  'meetings.begin': meetings.begin, // a session before its first sample; sound comes by PUT /capture
  'meetings.capture': meetings.capture, // a pause, a device, a gap
  'meetings.reopen': meetings.reopen, // after the app's process ended under it
  'meetings.stop': meetings.stop,
  'meetings.import': meetings.import, // any sound file, any length
  'meetings.get': meetings.get,
  'meetings.lines': meetings.lines,
  'meetings.update': meetings.update, // notes, engine, words that help it
  'meetings.fill': meetings.fill, // tries the holes now
  'meetings.again': meetings.again, // hears stretches anew, as proposals
  'meetings.versions': meetings.versions,
  'meetings.decide': meetings.decide, // proposals into the transcript, or not
  'meetings.edit': meetings.edit, // lines and speakers
  'meetings.undo': meetings.undo,
  'meetings.redo': meetings.redo,
  'meetings.find': meetings.find, // within one meeting
  'meetings.bookmark': meetings.bookmark,
  'meetings.learn': meetings.learn, // hotwords from corrections
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
  'chats.configure': chats.configure, // who answers, and how
  'chats.organise': chats.organise, // pins, folders, tags
  'chats.end': chats.end, // a temporary one
  'chats.folders': chats.folders,
  'chats.saveFolder': chats.saveFolder,
  'chats.removeFolder': chats.removeFolder,
  'chats.facets': chats.facets, // what the list can be narrowed by
  'chats.draft': chats.draft,
  'chats.window': chats.window, // the end of the branch, or what lies around a message
  'chats.more': chats.more,
  'chats.message': chats.message,
  'chats.text': chats.text, // a stretch of an answer that is longer than a message
  'chats.events': chats.events, // what a running answer brought so far
  'chats.ask': chats.ask,
  'chats.edit': chats.edit, // a sibling, nothing is lost
  'chats.regenerate': chats.regenerate, // a sibling, nothing is lost
  'chats.continue': chats.continue,
  'chats.stop': chats.stop, // keeps what came
  'chats.choose': chats.choose, // another branch
  'chats.unqueue': chats.unqueue,
  'chats.askElsewhere': chats.askElsewhere,
  'chats.send': chats.send,
  'chats.find': chats.find, // within one conversation
  'chats.search': chats.search, // messages of all conversations
  'chats.copy': chats.copy,
  'chats.export': chats.export, // md, html, json
  'chats.import': chats.import,
  'chats.prompts': chats.prompts,
  'chats.savePrompt': chats.savePrompt,
  'chats.removePrompt': chats.removePrompt,
  'chats.assistants': chats.assistants, // as they were listed
  'chats.slices': chats.slices, // where sources lie, by two ids
  'chats.locate': chats.locate, // a document of the Library behind a source
  'voices.list': voices.list, // the service's, mirrored
  'voices.preview': voices.preview, // its sound, kept
  'voices.remove': voices.remove, // at the service
  'voices.samples': voices.samples, // own voices
  'voices.sample': voices.sample,
  'voices.takeSample': voices.takeSample, // a file, a recording, a stretch of a meeting
  'voices.fixSample': voices.fixSample, // a further version
  'voices.useVersion': voices.useVersion, // undo and redo
  'voices.describeSample': voices.describeSample, // words, language, consent
  'voices.transcribeSample': voices.transcribeSample,
  'voices.clone': voices.clone,
  'voices.exportSample': voices.exportSample,
  'knowledge.list': knowledge.list, // bases as they were seen last
  'knowledge.refresh': knowledge.refresh, // as the service lists them now
  'retrieval.sets': retrieval.sets, // test sets: questions into knowledge bases
  'retrieval.set': retrieval.set,
  'retrieval.createSet': retrieval.createSet,
  'retrieval.configure': retrieval.configure,
  'retrieval.addQuestions': retrieval.addQuestions,
  'retrieval.editQuestion': retrieval.editQuestion,
  'retrieval.dropQuestions': retrieval.dropQuestions,
  'retrieval.restoreQuestions': retrieval.restoreQuestions,
  'retrieval.judgements': retrieval.judgements, // what was said of passages
  'retrieval.rate': retrieval.rate,
  'retrieval.keep': retrieval.keep, // a question of the bench into a set
  'retrieval.ask': retrieval.ask, // one question, with and without rerank
  'retrieval.start': retrieval.start, // a whole set, as rows that outlive a restart
  'retrieval.runs': retrieval.runs,
  'retrieval.run': retrieval.run,
  'retrieval.row': retrieval.row,
  'retrieval.raw': retrieval.raw, // the reply as received
  'retrieval.images': retrieval.images,
  'retrieval.stop': retrieval.stop, // keeps what came
  'retrieval.retry': retrieval.retry,
  'retrieval.rename': retrieval.rename,
  'retrieval.removeRuns': retrieval.removeRuns,
  'retrieval.restoreRuns': retrieval.restoreRuns,
  'retrieval.compare': retrieval.compare, // two runs, by what was said of their hits
  'retrieval.export': retrieval.export, // csv, json
  'retrieval.importRun': retrieval.importRun,
  'slices.request': slices.request, // where passages lie, by two ids
  'slices.ofMessage': slices.ofMessage, // those that a conversation fetched
  'slices.list': slices.list,
  'slices.get': slices.get,
  'slices.raw': slices.raw, // the reply as received
  'slices.images': slices.images, // tries them again
  'slices.remove': slices.remove,
  'slices.restore': slices.restore,
  'knowledge.get': knowledge.get,
  'knowledge.create': knowledge.create,
  'knowledge.update': knowledge.update,
  'knowledge.remove': knowledge.remove, // at the service; what was kept stays readable
  'knowledge.forget': knowledge.forget, // what was kept of one that is gone
  'knowledge.documents': knowledge.documents, // as they were seen last
  'knowledge.refreshDocuments': knowledge.refreshDocuments,
  'knowledge.document': knowledge.document,
  'knowledge.removeDocuments': knowledge.removeDocuments,
  'knowledge.embed': knowledge.embed, // again: one, some, all that failed
  'knowledge.images': knowledge.images, // in the slices of a document
  'knowledge.upload': knowledge.upload, // files and addresses, into a queue
  'knowledge.uploads': knowledge.uploads,
  'knowledge.retryUploads': knowledge.retryUploads,
  'knowledge.dropUploads': knowledge.dropUploads,
  'knowledge.activity': knowledge.activity, // what was done with a base
  'speech.create': speech.create, // a text that is to be spoken
  'speech.get': speech.get,
  'speech.segments': speech.segments,
  'speech.setText': speech.setText, // pieces that stand in it as before keep their takes
  'speech.configure': speech.configure, // voice, speed, pauses
  'speech.editSegment': speech.editSegment,
  'speech.speak': speech.speak, // what is not spoken, or pieces anew
  'speech.stop': speech.stop,
  'speech.takes': speech.takes, // every generation of a piece
  'speech.choose': speech.choose,
  'speech.favour': speech.favour,
  'speech.check': speech.check, // hears pieces again
  'speech.join': speech.join, // one sound of all pieces
  'speech.export': speech.export, // wav, mp3
  'speech.duplicate': speech.duplicate,
  'speech.recentVoices': speech.recentVoices,
  'jobs.active': jobs.active,
  'jobs.dismiss': jobs.dismiss,
  'work.list': work.list, // everything that runs or waits
  'work.move': work.move, // another account goes on with it
  'activity.list': activity.list,
  'activity.usage': activity.usage, // tokens by day and model
  ...watched, // tasks, Responses, slides: what is asked for by its id until it is there
  ...playgroundRoutes, // operations as runs, embeddings, rankings, the Library by meaning
  'streams.attach': streams.attach, // the text so far and the next seq
  'streams.detach': streams.detach, // leave without stopping
  'streams.cancel': streams.cancel, // abort a long call
} as const satisfies Record<string, Route>

/** Name of a route. */
export type RouteName = keyof typeof routes
/** Request as sent by the caller (defaults may be omitted). */
export type RequestOf<N extends RouteName> = z.input<(typeof routes)[N]['request']>
/** Request as received by the handler: parsed, with defaults. */
export type ParsedOf<N extends RouteName> = z.output<(typeof routes)[N]['request']>
/** Reply of the route. */
export type ReplyOf<N extends RouteName> = NonNullable<(typeof routes)[N]['reply']>
