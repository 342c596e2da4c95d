/** Of this machine. A name that only contains `localhost` passes too, which shows its developer more words, no secret. */
export const developmentOrigin = /localhost|\/127\.|\[::1\]/
