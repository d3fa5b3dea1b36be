# Processes of every kind that would outlive their controller, if they could.
trap '' HUP INT TERM PIPE
(trap '' HUP TERM; setsid sleep 50 &) &
sleep 50 &
mkdir -p locked && chmod 000 locked
sleep 0.3
