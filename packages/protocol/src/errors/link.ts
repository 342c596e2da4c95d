import type { ErrorTexts } from './entry'

const notLoaded = {
  title: 'Network Error - Could not load embedded wallet',
  text: 'Couldn’t load the wallet. Check your connection, and whether the page’s policy, a script or an extension blocks {host}.',
}

export const linkErrors = {
  TIMEOUT: { message: 'The request timed out' },
  ABORTED: { message: 'Request was aborted' },
  POPUP_BLOCKED: { message: 'The browser blocked the new tab' },
  LINK_CLOSED: { message: 'The connection to the modal has ended', rpc: 4900 },
  /** The response to a request that pays was lost. */
  OUTCOME_UNKNOWN: { message: 'The request was sent, but its outcome is unknown', rpc: -32002 },
  /** While its approval was on screen. */
  REQUEST_INTERRUPTED: { message: 'The request was interrupted. Nothing was sent' },
  DESTROYED: { message: 'This instance has been destroyed', rpc: 4900 },
  RELAY_UNREACHABLE: { message: 'Can’t reach the WalletConnect relay' },
  CLOSE_REFUSED: { message: 'The modal can’t be closed right now' },
  VERSION_MISMATCH: { message: 'The SDK and the modal have no version in common' },
  /** The modal's frame, or code that loads later. */
  LOAD_FAILED: { message: 'The modal, or a part of it, could not be loaded', alert: notLoaded },
  IFRAME_LOAD_FAILED: { message: 'Unable to load email login dependency', alert: notLoaded },
  IFRAME_REQUEST_TIMEOUT: {
    message: 'Embedded wallet request timed out',
    alert: {
      title: 'Embedded Wallet Request Timed Out',
      text: 'The wallet didn’t respond in time. Try again, or reload the page.',
    },
  },
} as const satisfies ErrorTexts
