/** Between the page, the modal and the wallet's frame. */
import type { ErrorTexts } from './entry'

export const linkErrors = {
  TIMEOUT: {
    message: 'The request took too long',
    fix: 'Check the connection and try again.',
  },
  ABORTED: {
    message: 'Request was aborted',
    fix: 'The page or the visitor cancelled it. Send it again if you still need it.',
  },
  POPUP_BLOCKED: {
    message: 'The browser blocked the new tab',
    fix: 'Click again. Browsers allow a new tab only for a few seconds after a click.',
  },
  LINK_CLOSED: {
    message: 'The connection to the modal has ended',
    rpc: 4900,
    fix: 'Send the request again; it reloads the modal. Before you repeat a payment, check whether it was made.',
  },
  DESTROYED: {
    message: 'This instance has been destroyed',
    rpc: 4900,
    fix: 'Call `createPostern` again, and stop using the old instance.',
  },
  RELAY_UNREACHABLE: {
    message: 'The WalletConnect relay cannot be reached',
    fix: 'Check the connection and whether a content blocker or firewall blocks the relay, then try again.',
  },
  CLOSE_REFUSED: {
    message: 'The modal cannot be closed now',
    fix: 'Finish or cancel the step that the modal shows.',
  },
  VERSION_MISMATCH: {
    message: 'The SDK and the modal speak no common version',
    fix: 'Update the older one of `@postern/client` and the deployment that serves the modal.',
  },
  IFRAME_LOAD_FAILED: {
    message: 'Unable to load email login dependency',
    fix: 'Check the connection, content blockers and the page’s `frame-src`, then try again.',
    alert: {
      title: 'Network Error - Could not load embedded wallet',
      text: 'The wallet’s frame did not load. Check your connection, and whether the page’s policy or an extension blocks {host}.',
    },
  },
  IFRAME_REQUEST_TIMEOUT: {
    message: 'Embedded wallet request timed out',
    fix: 'Try again. If the wallet still does not respond, reload the page.',
    alert: {
      title: 'Embedded Wallet Request Timed Out',
      text: 'The embedded wallet did not answer in time. Try again, or reload the page.',
    },
  },
} as const satisfies ErrorTexts
