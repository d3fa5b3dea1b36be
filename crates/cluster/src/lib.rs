//! Many machines: jobs on a queue, workers that pull what they can run.
