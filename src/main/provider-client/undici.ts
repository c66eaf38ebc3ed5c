import { connect, pipeline, request, stream, upgrade } from 'undici/lib/api/index.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

// undici's index also loads fetch, WebSocket, caches and mocks, which takes twice as long and 12 MB more. Like the index, this
// gives dispatchers their methods. tsconfig.base.json names the types of the files.
Object.assign(Dispatcher.prototype, { connect, pipeline, request, stream, upgrade })

export { Agent, ProxyAgent }
