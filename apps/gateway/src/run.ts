import { version } from '../package.json'
import { composeAdminApp } from './admin-server'
import { createApp } from './app'
import { composeDependencies } from './compose'
import type { Config } from './config'
import { startJobs } from './jobs'
import { startServer } from './platform/http/server'
import { createLog } from './platform/log/log'
import { serveMetrics } from './platform/metrics/server'
import { openServices } from './services'

/** Starts a gateway that runs until SIGTERM or SIGINT. @param onListening called once connections are accepted. */
export async function runGateway(config: Config, onListening: () => void = () => {}): Promise<void> {
  const log = createLog(config.logLevel)
  const stopTracing =
    config.tracing && (await import('./platform/tracing/start')).startTracing(config.tracing, version, log)
  const services = await openServices(config, log)
  const jobs = startJobs(services, log)
  const stopSignal = new AbortController()
  const app = createApp(composeDependencies(config, services, log, stopSignal.signal))
  const { host, modalOrigin } = config
  const server = startServer(app.fetch, {
    host,
    port: config.port,
    onListening(port) {
      const { database, seeded } = services
      log.info({ host, port, modal: modalOrigin, database: database.kind, seeded }, 'listening')
      onListening()
    },
    onError(error) {
      log.fatal({ err: error }, 'cannot listen')
      void stop(1)
    },
  })

  const metricsServer =
    config.metrics === undefined || services.metrics === null
      ? null
      : serveMetrics(services.metrics, config.metrics, (error) => {
          log.fatal({ err: error }, 'cannot serve metrics')
          void stop(1)
        })

  const adminServer =
    config.admin === undefined || services.metrics === null
      ? null
      : startServer(
          composeAdminApp(config, config.admin, { ...services, now: Date.now }, services.metrics, log).fetch,
          {
            ...config.admin,
            onListening: (adminPort) => log.info({ host: config.admin?.host, port: adminPort }, 'admin API listening'),
            onError(error) {
              log.fatal({ err: error }, 'cannot serve the admin API')
              void stop(1)
            },
          },
        )

  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0))
  void services.database.panicked?.then((error) => {
    log.fatal({ err: error }, 'the embedded database stopped, and recovers when the gateway starts again')
    void stop(1)
  })

  async function stop(exitCode: number): Promise<void> {
    if (stopping) return
    stopping = true
    stopSignal.abort()
    jobs.stop()
    metricsServer?.close()
    metricsServer?.closeAllConnections()
    const closed = Promise.all([server.close(), adminServer?.close()])
    log.info('stopping')
    await closed
    await jobs.flush()
    await services.close()
    await stopTracing?.()
    log.info('stopped')
    process.exitCode = exitCode
  }
}
