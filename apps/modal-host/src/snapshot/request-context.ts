/**
 * Who causes a wallet request of the modal: the user, or the dapp through a view. The dapp's own requests have no
 * asker.
 */
export type Asker = 'visitor' | 'dapp'

/** Passed with a view's wallet request. A page cannot set it. */
export type RequestContext = { readonly asker: Asker }
