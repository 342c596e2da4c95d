/** Who causes a wallet request of the modal: the user, or the dapp through a view. The dapp's own requests have none. */
export type Asker = 'visitor' | 'dapp'

/** Passed with a wallet request that a view makes. A page cannot set it: its requests come without one. */
export type RequestContext = { readonly asker: Asker }
