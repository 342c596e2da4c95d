import { createStore } from 'zustand/vanilla'
import { perHost } from '../../view-kit/per-host'

/** Which of the snapshot's transactions TransactionProgress shows. */
type Shown = { readonly id: string | null }

/** To show one: set its id, then go to TransactionProgress (`useShowTransaction`). */
export const shownTransaction = perHost(() => createStore<Shown>(() => ({ id: null })))
