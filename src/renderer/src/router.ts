import { createRouter, createWebHashHistory, type RouteLocation, type Router } from 'vue-router'

/** Creates the router. Every view is loaded on its first visit. */
export function createPages() {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: '/meetings' },
      {
        path: '/meetings/:id?',
        name: 'meetings',
        component: () => import('./domains/audio/meetings/MeetingsView.vue'),
      },
      {
        path: '/documents/:id?',
        name: 'documents',
        component: () => import('./domains/documents/views/DocumentsView.vue'),
      },
      {
        path: '/chats/:id?',
        name: 'chats',
        component: () => import('./domains/chats/views/ChatsView.vue'),
      },
      {
        path: '/quick',
        name: 'quick',
        component: () => import('./domains/chats/quick/QuickView.vue'),
      },
      {
        path: '/playground/:place(new|runs|embeddings|rerank|search|responses|tasks|slides)?/:id?',
        name: 'playground',
        component: () => import('./shell/playground/PlaygroundView.vue'),
      },
      // Windows and links that were saved before a section had its present name.
      ...(
        [
          ['/recordings', '/meetings'],
          ['/bench', '/playground'],
        ] as const
      ).map(([former, now]) => ({
        path: `${former}/:rest(.*)*`,
        redirect: ({ path, query, hash }: RouteLocation) => ({
          path: path.replace(former, now),
          query,
          hash,
        }),
      })),
      {
        path: '/voices/:part(library|clone|speak)?/:id?',
        name: 'voices',
        component: () => import('./domains/voices/voices/views/VoicesView.vue'),
      },
      {
        path: '/knowledge/:part(bases|retrieval|slices)?/:id?',
        name: 'knowledge',
        component: () => import('./domains/knowledge/bases/views/KnowledgeView.vue'),
      },
      {
        path: '/library/:place(bin)?',
        name: 'library',
        component: () => import('./domains/library/entries/views/LibraryView.vue'),
      },
      {
        path: '/activity',
        name: 'activity',
        component: () => import('./domains/playground/activity/views/ActivityView.vue'),
      },
      {
        path: '/settings/:section?',
        name: 'settings',
        component: () => import('./shell/settings/views/SettingsView.vue'),
      },
      { path: '/:rest(.*)*', redirect: '/meetings' },
    ],
  })
  saveEarlyAddress(router)
  return router
}

/**
 * The router listens to the URL only after its first navigation has ended, and then replaces a newer URL with that of the first:
 * a URL entered while the first view was loading is therefore navigated to afterwards.
 */
function saveEarlyAddress(router: Router): void {
  let entered: string | null = null
  const onHashChange = (): void => {
    entered = location.hash.slice(1)
  }
  addEventListener('hashchange', onHashChange)
  const ready = (): void => {
    removeEventListener('hashchange', onHashChange)
    if (entered !== null) void router.push(entered)
  }
  router.isReady().then(ready, ready)
}
