import type { StorageAccess } from './ladder'

/** Only Chromium returns a handle for `{ all: true }`; others unlock the existing APIs. */
type DocumentWithStorageAccess = {
  requestStorageAccess?(types: { readonly all: true }): Promise<unknown>
}

/** A click in the modal permits this same-site frame too, which must still request it. */
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
      // With tracking protection, Chromium grants a handle whose storage is denied: `localStorage` throws, IndexedDB
      // never responds.
      if ('localStorage' in handle && !(handle.localStorage instanceof Storage)) throw new Error('no storage')
      return handle.indexedDB instanceof IDBFactory ? handle.indexedDB : null
    },
  }
}
