import {
  IDBFactory as FakeIndexedDb,
  IDBCursor,
  IDBDatabase,
  IDBIndex,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
} from 'fake-indexeddb'

/** `idb` compares objects with the browser's global classes. No global `indexedDB`: other tests must not find one. */
Object.assign(globalThis, { IDBCursor, IDBDatabase, IDBIndex, IDBObjectStore, IDBRequest, IDBTransaction })

export { FakeIndexedDb }
