/** Between the page, the modal and the wallet's frame. */
import type { ErrorTexts } from './entry'

export const linkErrors = {
  TIMEOUT: {
    message: 'The request took too long',
    wayOut: 'Check the connection and try again.',
  },
  ABORTED: {
    message: 'Request was aborted',
    wayOut: 'The page or the visitor called it off; send it again if it is still wanted.',
  },
  POPUP_BLOCKED: {
    message: 'The browser blocked the new tab',
    wayOut: 'Click again: a new tab may be opened for a few seconds after a click.',
  },
  LINK_CLOSED: {
    message: 'The connection to the modal has ended',
    rpc: 4900,
    wayOut:
      'Send the request again: the modal is loaded anew on the next one. A payment may have been made: look for it first.',
  },
  DESTROYED: {
    message: 'This instance has been destroyed',
    rpc: 4900,
    wayOut: 'Call `createPostern` again, and stop using the old instance.',
  },
  RELAY_UNREACHABLE: {
    message: 'The WalletConnect relay cannot be reached',
    wayOut: 'Check the connection, and whether something blocks the relay, then try again.',
  },
  CLOSE_REFUSED: {
    message: 'The modal cannot be closed now',
    wayOut: 'Finish or cancel what the modal asks for.',
  },
  VERSION_MISMATCH: {
    message: 'The SDK and the modal speak no common version',
    wayOut: 'Update `@postern/client`, or the deployment that serves the modal, whichever is older.',
  },
  IFRAME_LOAD_FAILED: {
    message: 'Unable to load email login dependency',
    wayOut: 'Check the connection, content blockers and the page’s `frame-src`, then try again.',
    alert: {
      title: 'Network Error - Could not load embedded wallet',
      text: 'The wallet’s frame did not load. Check your connection, and whether the page’s policy or an extension blocks {host}.',
    },
  },
  IFRAME_REQUEST_TIMEOUT: {
    message: 'Embedded wallet request timed out',
    wayOut: 'Try again; reload the page if the wallet stays silent.',
    alert: {
      title: 'Embedded Wallet Request Timed Out',
      text: 'The embedded wallet did not answer in time. Try again, or reload the page.',
    },
  },
} as const satisfies ErrorTexts
