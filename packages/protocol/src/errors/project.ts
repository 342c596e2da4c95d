import type { ErrorTexts } from './entry'

const appConfiguration = 'Invalid App Configuration'

export const projectErrors = {
  ORIGIN_NOT_ALLOWED: {
    message: 'Unauthorized: origin not allowed',
    alert: {
      title: appConfiguration,
      text: '{origin} is not on the allowlist of this project. Add it to the project’s allowed origins.',
    },
  },
  UNVERIFIED_DOMAIN: {
    message: 'The domain of this page has not been verified',
    alert: {
      title: appConfiguration,
      text: 'Email and social sign-in need a verified domain. Add {origin} to the project’s allowed origins.',
    },
  },
  INVALID_PROJECT_ID: {
    message: 'Unauthorized: invalid key',
    alert: { title: appConfiguration, text: 'The project id {projectId} isn’t valid. Check it with your gateway.' },
  },
  ANALYTICS_FORBIDDEN: {
    message: 'The analytics service refused this page',
    alert: {
      title: appConfiguration,
      text: 'The analytics service refused this page. Check the project id and add {origin} to the project’s allowed origins.',
    },
  },
  PROJECT_ID_NOT_CONFIGURED: {
    message: 'No project id is configured',
    alert: {
      title: 'Project ID Not Configured',
      text: 'This app has no project id. Set projectId to the id of your project.',
    },
  },
  SWITCH_NETWORK_NOT_FOUND: {
    message: 'The network isn’t configured',
    rpc: 4902,
    alert: {
      title: 'Network Not Found',
      text: 'The network {network} isn’t configured. Add it to networks.',
    },
  },
  SESSION_EXPIRED: {
    message: 'JWT validation error: JWT Token is not yet valid',
    alert: {
      title: 'Session Expired',
      text: 'The session isn’t valid. Check the time settings of this device, then sign in again.',
    },
  },
  SIWX_CONFLICT: { message: 'Both siweConfig and siwx are set' },
} as const satisfies ErrorTexts
