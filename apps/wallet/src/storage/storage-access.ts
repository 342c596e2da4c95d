import type { StorageAccess } from './ladder'

/** As far as browsers have it: the handle of `{ all: true }` is Chromium's, others open what is there already. */
type DocumentWithStorageAccess = {
  requestStorageAccess?(types: { readonly all: true }): Promise<unknown>
}

/** The Storage Access API. Granted to the modal by a click, the permission holds for this frame of the same site too, which has to ask for it all the same. */
export function browserStorageAccess(
  document: DocumentWithStorageAccess,
  navigator: Pick<Navigator, 'permissions'>,
): StorageAccess {
  return {
    async isGranted() {
      const { state } = await navigator.permissions.query({ name: 'storage-access' })
      return state === 'granted'
    },
    async request() {
      if (document.requestStorageAccess === undefined) throw new Error('no Storage Access API')
      const handle = await document.requestStorageAccess({ all: true })
      if (typeof handle !== 'object' || handle === null || !('indexedDB' in handle)) return null
      // Chromium with tracking protection grants the handle and denies what it leads to. This throws then; the handle's IndexedDB would never answer.
      if ('localStorage' in handle && !(handle.localStorage instanceof Storage)) throw new Error('no storage')
      return handle.indexedDB instanceof IDBFactory ? handle.indexedDB : null
    },
  }
}
