/** Between the page, the modal and the wallet's frame. */
import type { ErrorTexts } from './entry'

export const linkErrors = {
  TIMEOUT: {
    message: 'The request timed out',
    fix: 'Check your connection and try again.',
  },
  ABORTED: {
    message: 'Request was aborted',
    fix: 'Send it again if you still need it.',
  },
  POPUP_BLOCKED: {
    message: 'The browser blocked the new tab',
    fix: 'Click again: a new tab needs a recent click.',
  },
  LINK_CLOSED: {
    message: 'The connection to the modal has ended',
    rpc: 4900,
    fix: 'Check whether a payment went through, then send the request again.',
  },
  DESTROYED: {
    message: 'This instance has been destroyed',
    rpc: 4900,
    fix: 'Call `createPostern` again.',
  },
  RELAY_UNREACHABLE: {
    message: 'Can’t reach the WalletConnect relay',
    fix: 'Check your connection, and whether something blocks the relay, then try again.',
  },
  CLOSE_REFUSED: {
    message: 'The modal can’t be closed right now',
    fix: 'Finish or cancel what the modal asks for.',
  },
  VERSION_MISMATCH: {
    message: 'The SDK and the modal have no version in common',
    fix: 'Update `@postern/client` or your gateway, whichever is older.',
  },
  IFRAME_LOAD_FAILED: {
    message: 'Unable to load email login dependency',
    fix: 'Check your connection, content blockers and the page’s `frame-src`, then try again.',
    alert: {
      title: 'Network Error - Could not load embedded wallet',
      text: 'Couldn’t load the wallet. Check your connection, and whether the page’s policy, a script or an extension blocks {host}.',
    },
  },
  IFRAME_REQUEST_TIMEOUT: {
    message: 'Embedded wallet request timed out',
    fix: 'Try again. If the wallet still doesn’t respond, reload the page.',
    alert: {
      title: 'Embedded Wallet Request Timed Out',
      text: 'The wallet didn’t respond in time. Try again, or reload the page.',
    },
  },
} as const satisfies ErrorTexts
