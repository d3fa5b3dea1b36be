//! One option for each limit, read with units and checked against the limit's own bounds.

use clap::Args;
use formicary_model::LimitOverrides;
use formicary_platform::config::Key;
use formicary_platform::key;

/// Limits of a run.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Wall-clock time; raises the CPU time to at least this
    #[arg(long, short = 't', value_name = "DURATION", value_parser = number(key!(limits.wall_seconds)), allow_hyphen_values = true)]
    pub timeout: Option<f64>,
    /// CPU time of all processes
    #[arg(long, value_name = "DURATION", value_parser = number(key!(limits.cpu_seconds)), allow_hyphen_values = true)]
    pub cpu_time: Option<f64>,
    /// Memory of all processes
    #[arg(long, short = 'm', value_name = "SIZE", value_parser = number(key!(limits.memory_bytes)), allow_hyphen_values = true)]
    pub memory: Option<f64>,
    /// CPU cores; fractions are allowed
    #[arg(long, value_name = "NUMBER", value_parser = number(key!(limits.cores)), allow_hyphen_values = true)]
    pub cores: Option<f64>,
    /// Concurrent processes and threads
    #[arg(long, value_name = "COUNT", value_parser = number(key!(limits.processes)), allow_hyphen_values = true)]
    pub processes: Option<f64>,
    /// Total size of files in the sandbox
    #[arg(long, value_name = "SIZE", value_parser = number(key!(limits.disk_bytes)), allow_hyphen_values = true)]
    pub disk: Option<f64>,
    /// Number of files and directories in the sandbox
    #[arg(long, value_name = "COUNT", value_parser = number(key!(limits.disk_inodes)), allow_hyphen_values = true)]
    pub inodes: Option<f64>,
    /// Open file descriptors per process
    #[arg(long, value_name = "COUNT", value_parser = number(key!(limits.open_files)), allow_hyphen_values = true)]
    pub open_files: Option<f64>,
    /// Size of a single file
    #[arg(long, value_name = "SIZE", value_parser = number(key!(limits.file_size_bytes)), allow_hyphen_values = true)]
    pub file_size: Option<f64>,
    /// Bytes of stdout and of stderr to keep in the result
    #[arg(long, value_name = "SIZE", value_parser = number(key!(limits.output_bytes)), allow_hyphen_values = true)]
    pub max_output: Option<f64>,
    /// End the program after this much output
    #[arg(long, value_name = "SIZE", value_parser = number(key!(limits.output_total_bytes)), allow_hyphen_values = true)]
    pub max_total_output: Option<f64>,
    /// Wall-clock time of compilation; raises its CPU time to at least this
    #[arg(long, value_name = "DURATION", value_parser = number(key!(limits.wall_seconds)), allow_hyphen_values = true)]
    pub compile_timeout: Option<f64>,
    /// Memory of compilation
    #[arg(long, value_name = "SIZE", value_parser = number(key!(limits.memory_bytes)), allow_hyphen_values = true)]
    pub compile_memory: Option<f64>,
}

impl LimitArguments {
    /// The run's limits. `configured_cpu` is the CPU time that holds where nothing is said: a longer wall clock that a
    /// shorter CPU limit makes useless would surprise.
    pub fn of_the_run(&self, configured_cpu: f64) -> LimitOverrides {
        let cpu = self.cpu_time.or_else(|| self.timeout.filter(|wall| *wall > configured_cpu));
        overrides(&[
            ("wall_seconds", self.timeout),
            ("cpu_seconds", cpu),
            ("memory_bytes", self.memory),
            ("cores", self.cores),
            ("processes", self.processes),
            ("disk_bytes", self.disk),
            ("disk_inodes", self.inodes),
            ("open_files", self.open_files),
            ("file_size_bytes", self.file_size),
            ("output_bytes", self.max_output),
            ("output_total_bytes", self.max_total_output),
        ])
    }

    /// The compile step's limits.
    pub fn of_the_compile_step(&self, configured_cpu: f64) -> LimitOverrides {
        overrides(&[
            ("wall_seconds", self.compile_timeout),
            ("cpu_seconds", self.compile_timeout.filter(|wall| *wall > configured_cpu)),
            ("memory_bytes", self.compile_memory),
        ])
    }
}

fn overrides(values: &[(&str, Option<f64>)]) -> LimitOverrides {
    let mut overrides = LimitOverrides::default();
    for (name, value) in values {
        if let Some(value) = value {
            overrides.set(name, *value);
        }
    }
    overrides
}

/// Reads a number as the setting of this key takes it.
pub fn number(key: Key) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    // clap names the value itself.
    move |text| {
        key.parse_number(text)
            .map_err(|why| why.strip_prefix(&format!("{text:?} is ")).unwrap_or(&why).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_checked_at_the_door() {
        let cases = [
            (key!(limits.wall_seconds), "0", Err("outside 100 ms to 300 s")),
            (key!(limits.wall_seconds), "-1", Err("outside 100 ms to 300 s")),
            (key!(limits.wall_seconds), "1e9", Err("outside 100 ms to 300 s")),
            (key!(limits.wall_seconds), "2m", Ok(120.0)),
            (key!(limits.memory_bytes), "1e9", Ok(1e9)),
            (key!(limits.memory_bytes), "0", Err("outside 8 MiB to 1 TiB")),
            (key!(limits.processes), "1.5", Err("not a whole number")),
            (key!(limits.processes), "many", Err("not a number")),
        ];
        for (key, text, expected) in cases {
            assert_eq!(number(key)(text), expected.map_err(str::to_owned), "{key:?} {text}");
        }
    }

    #[test]
    fn a_longer_wall_clock_lifts_the_cpu_time() {
        let cpu = |timeout, cpu_time| {
            LimitArguments { timeout, cpu_time, ..Default::default() }.of_the_run(30.0).cpu_seconds
        };
        assert_eq!(cpu(Some(60.0), None), Some(60.0));
        assert_eq!(cpu(Some(10.0), None), None);
        assert_eq!(cpu(Some(60.0), Some(5.0)), Some(5.0));
        assert_eq!(cpu(None, None), None);
    }
}
