/** The OpenTelemetry SDK, loaded only if traces are sent. It reads its other settings itself. */
import { setTimeout as delay } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'
import type { Log } from '../log/log'
import { createLogOnce } from '../log/log-once'
import type { TracingConfig } from './config'

/** Between two logs of an unreachable collector. */
const faultPeriodMs = 600_000
/** For the last spans at the process's stop. */
const lastSendMs = 3_000

/** @returns sends the last spans and stops. */
export function startTracing({ joinsCallers }: TracingConfig, version: string, log: Log): () => Promise<void> {
  const logOnce = createLogOnce(faultPeriodMs, () => performance.now())
  const report = (error: unknown): void =>
    logOnce('', (more) => log.warn({ err: error, ...more }, 'traces are not sent: the collector did not take them'))
  setGlobalErrorHandler(report)
  const ignore = (): void => {}
  const warn = (message: string): void => log.warn({ reason: message }, 'tracing')
  diag.setLogger(
    { verbose: ignore, debug: ignore, info: ignore, warn, error: warn },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'postern-gateway', [ATTR_SERVICE_VERSION]: version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  provider.register({ propagator: joinsCallers ? new W3CTraceContextPropagator() : null })
  return async () => {
    // The exporter tries again for longer than a process may take to stop.
    const sent = provider.shutdown().then(() => true, report)
    if ((await Promise.race([sent, delay(lastSendMs, false, { ref: false })])) === false)
      report(new Error('no answer in time'))
  }
}
