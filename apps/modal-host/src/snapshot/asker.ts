/** Who caused a wallet request of the modal: the user, or the dapp through a view. The dapp's own requests have none. */
export type Asker = 'visitor' | 'dapp'
