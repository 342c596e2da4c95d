import { createStore } from 'zustand/vanilla'
import { perHost } from '../../view-kit/loading/per-host'

type Shown = { readonly id: string | null }

/** Set the id before opening TransactionProgress (`useShowTransaction`). */
export const shownTransaction = perHost(() => createStore<Shown>(() => ({ id: null })))
