import { createRouter, createWebHashHistory } from 'vue-router'

/** Builds the router. Every view is loaded on its first visit. */
export function createPages() {
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: '/recordings' },
      {
        path: '/recordings/:id?',
        name: 'recordings',
        component: () => import('./features/recordings/views/RecordingsView.vue'),
      },
      {
        path: '/documents/:id?',
        name: 'documents',
        component: () => import('./features/documents/views/DocumentsView.vue'),
      },
      {
        path: '/bench/:part(runs|new|tasks)?/:id?',
        name: 'bench',
        component: () => import('./features/bench/views/BenchView.vue'),
      },
      {
        path: '/library/:place(bin)?',
        name: 'library',
        component: () => import('./features/library/views/LibraryView.vue'),
      },
      {
        path: '/activity',
        name: 'activity',
        component: () => import('./features/activity/views/ActivityView.vue'),
      },
      {
        path: '/settings/:section?',
        name: 'settings',
        component: () => import('./features/settings/views/SettingsView.vue'),
      },
      { path: '/:rest(.*)*', redirect: '/recordings' },
    ],
  })
}
